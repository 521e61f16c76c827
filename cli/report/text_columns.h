/* SPDX-License-Identifier: MIT */
/* The columns of a text report: which are wanted, and what stands in their cells. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cli/report/keys.h"
#include "cli/report/report.h"
#include "cli/report/rows.h"
#include "cli/report/terminal.h"
#include "cli/report/text_cells.h"

/* A table on its way out. */
struct text {
	const struct report *report;
	const struct terminal *terminal;
	struct text_cells cells;
	uint64_t most;	  /* thousandths of ticks in the largest row: a full bar */
	uint64_t sum;	  /* of the rows down to the present one */
	bool kernel;	  /* time in the kernel matters */
	bool wide;	  /* room for more numbers, and for longer texts */
	unsigned grouped; /* columns that stand as lines of their own above the rows */
	bool group;	  /* the present line is such a sum */
	unsigned spared;  /* columns up to this .spare are left out for want of room */
	char *cell;	  /* the last that was made; freed by who made the text */
	size_t cell_room;
	bool failed; /* memory ran out */
};

struct text_column {
	const char *title;
	const char *ascii_title; /* where there is no UTF-8; NULL: the same */
	enum style style;
	bool hot;	/* stands out where the row is hot */
	bool left;	/* aligned */
	unsigned spare; /* which can be spared: 1 first, then 2, ...; 0: none can */
	bool (*wanted)(const struct text *text);
	/* Sets .cell, which is empty before. */
	void (*fill)(struct text *text, const struct row *row);
};

/* The column at @index of this table; NULL after the last that there can be. */
const struct text_column *text_column_at(size_t index);
bool text_column_wanted(const struct text *text, const struct text_column *column);

bool text_tells(const struct text *text, enum column column);

/* What stands in the column, whole: nothing is cut but for want of room on a terminal. It and a
 * name are there until the next one is made. */
const char *text_cell(struct text *text, const struct text_column *column, const struct row *row);

/* The name of a line that adds the columns @tells: the most particular of them. *ret_title is what
 * it is. */
const char *text_name(struct text *text, const struct row *row, unsigned tells,
		      const char **ret_title);
bool text_is_other(const struct text *text, const struct row *row);

/* Rows of unknown code and sums never are. */
bool text_is_hot(const struct text *text, const struct row *row);
