/* SPDX-License-Identifier: MIT */
/* The columns of rows for programs to read: csv and json write the same, each in its own way. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/report/keys.h"
#include "cli/report/rows.h"

/* A row and what has been summed up down to it. */
struct column_line {
	const struct rows *rows;
	const struct row *row;
	uint64_t sum_millis; /* with this row */
};

struct column_format {
	const char *name;
	/* Either: text as it is, "" for none. */
	const char *(*text)(const struct row *row);
	/* Or: writes a number to @stream; false, and nothing is written, when it is not known. */
	bool (*number)(const struct column_line *line, FILE *stream);
	bool flag; /* the number is 0 or 1 */
	/* The order of --sort: text rising, numbers falling; NULL: by ticks. */
	int (*compare)(const struct row *a, const struct row *b);
};

/* All columns, for --sort; NULL after the last. */
const struct column_format *column_of(size_t index);
const char *column_name(size_t index);

/* The column at @index of a line by @keys, those that keys add in front; NULL after the last. */
const struct column_format *column_at(const struct keys *keys, size_t index);
