/* SPDX-License-Identifier: MIT */
/*
 * What the samples of a pprof file refer to: its strings, mappings, functions and locations, found
 * by their ids. Part of reading.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/profile/profile.h"
#include "cli/report/points.h"
#include "symbolize/error.h"

struct pprof_string {
	const uint8_t *data;
	size_t size;
	const char *text; /* the profile's copy, once it was asked for */
};

/* Ids are any numbers: tables are sorted by them. */
struct pprof_function {
	uint64_t id;
	const char *name, *file; /* file NULL: not known */
	bool unknown;		 /* profrun's: no name but what an unknown address is called */
};

struct pprof_mapping {
	uint64_t id;
	uint32_t object;
};

struct pprof_location {
	uint64_t id;
	uint64_t address;
	uint32_t object;
	uint32_t frame, frame_count;
	enum point_kind kind;
};

struct pprof_tables {
	struct profile *profile; /* gets objects, frames and strings */
	const char *facts;	 /* the comment that profrun writes, NULL: another tool did */
	bool own;

	struct pprof_string *strings;
	size_t string_count, string_room;
	struct pprof_mapping *mappings;
	size_t mapping_count, mapping_room;
	struct pprof_function *functions;
	size_t function_count, function_room;
	struct pprof_location *locations;
	size_t location_count, location_room;
	size_t frame_room;
};

/* Reads all tables of the file at [@bytes, @bytes + @size); -EINVAL or -ENOMEM with *err. */
int pprof_tables_read(struct pprof_tables *tables, const uint8_t *bytes, size_t size,
		      struct error *err);
void pprof_tables_done(struct pprof_tables *tables);

/* The string at @index; NULL with *err when there is none. */
const char *pprof_tables_text(struct pprof_tables *tables, int64_t index, struct error *err);

/* The location with @id, or NULL with *err. */
const struct pprof_location *pprof_tables_location(const struct pprof_tables *tables, uint64_t id,
						   struct error *err);
