/* SPDX-License-Identifier: MIT */
/*
 * Line number programs. The program is run once and every row compared with the addresses that are
 * asked for; no table is built, and the names of files are put together only for those used.
 */
#pragma once

#include "symbolize/dwarf_attr.h"

struct line_file {
	const char *name;
	uint64_t directory;
};

struct line_header {
	struct dwarf_unit *unit; /* whose program it is */
	uint16_t version;
	uint8_t minimum_length, operations, line_range, opcode_base;
	int8_t line_base;
	uint8_t lengths[256]; /* of the arguments of standard opcodes */
	const char **directories;
	struct line_file *files;
	const char **paths; /* of the files, once they were asked for */
	size_t directory_count, file_count;
	struct reader program;
};

struct line_hit {
	bool found;
	uint64_t file; /* index for lines_path() */
	uint64_t line; /* 0: code of no line */
};

/*
 * Reads the header at @offset of .debug_line in @dwarf for @unit, which gives the compilation's
 * directory and the sizes of forms. False when it is damaged; memory is that of @dwarf's arena.
 */
bool lines_open(struct dwarf *dwarf, uint64_t offset, struct dwarf_unit *unit,
		struct line_header *ret_header);

/*
 * Runs the program and fills the @hits of those of the @count sorted @addresses that a row covers
 * and that are not found yet.
 */
void lines_find(struct line_header *header, const uint64_t *addresses, size_t count,
		struct line_hit *hits);

/* The path of the file with that index in rows and DIEs; NULL: not told. Lives in the arena. */
const char *lines_path(struct line_header *header, uint64_t index);
