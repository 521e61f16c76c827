/* SPDX-License-Identifier: MIT */
/* Rows found again by what identifies them: a hash table, part of how rows are built. */
#pragma once

#include "cli/report/rows.h"

struct row_table {
	struct row *row;
	size_t count, room;
	uint32_t *slots; /* index + 1 of a row; 0: free */
	size_t slot_count;
};

/*
 * Adds to the row that agrees with @row in all but its numbers, or makes it. Strings are of one
 * pool, so that equal ones are the same pointer. 0 or -ENOMEM.
 */
int row_table_add(struct row_table *table, const struct row *row);

/* Adds the numbers of @other to @row. */
void row_add(struct row *row, const struct row *other);
