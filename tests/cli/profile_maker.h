/* SPDX-License-Identifier: MIT */
/* Profiles made by hand for the tests of reports, and what formats write of them. */
#pragma once

#include "cli/options.h"
#include "cli/profile/profile.h"

/* An empty profile of a run of 100 Hz. */
struct profile *make_profile(void);

/* Adds an object that is no file to read: its places are given by make_place(). */
uint32_t make_object(struct profile *profile, enum object_kind kind, const char *name);

/* Adds ticks; effective ticks are kept equal to ticks. */
void make_entry(struct profile *profile, uint32_t object, uint64_t address, uint64_t size,
		uint64_t ticks, uint64_t kernel);

/* Adds a place behind the ones before; @function NULL: unknown code. */
void make_place(struct profile *profile, uint32_t object, uint64_t start, uint64_t end,
		const char *function);

/* The options of a command line, words separated by blanks (PROFRUN_OPTIONS' rules). */
void make_options(struct options *options, const char *line);

/* What the format of @options writes, as to a file; freed by the caller. */
char *make_report(const struct profile *profile, const struct options *options);
