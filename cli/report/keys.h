/* SPDX-License-Identifier: MIT */
/*
 * What rows are told apart by: the table of --by's keys. A key tells some columns; rows that agree
 * in all told columns are one row.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "symbolize/error.h"

/* The columns that identify a row. */
enum column {
	COLUMN_PROCESS,
	COLUMN_THREAD,
	COLUMN_RUN,
	COLUMN_ADDRESS,
	COLUMN_FUNCTION,
	COLUMN_OBJECT,
	COLUMN_FILE,
	COLUMN_LINE,
	COLUMNS,
};

struct key {
	const char *name;
	const char *summary;
	unsigned tells; /* bits 1 << enum column */
	int front;	/* the column that it adds in front of a row, or -1 */
};

#define KEYS_MAX 10

struct keys {
	const struct key *key[KEYS_MAX]; /* in the order given */
	size_t count;
	unsigned tells; /* of all of them */
};

/* Whether the rows by @keys tell @column. */
static inline bool keys_tell(const struct keys *keys, enum column column)
{
	return keys->tells & (1U << column);
}

const struct key *key_at(size_t index);
const char *key_name(size_t index);

/* "KEY[,KEY]" into *ret_keys; a negative errno with *err for an unknown, empty or repeated one. */
int keys_parse(const char *text, struct keys *ret_keys, struct error *err);
