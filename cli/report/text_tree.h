/* SPDX-License-Identifier: MIT */
/*
 * The lines of a text report. Several keys make a tree: the rows that agree in the first key's
 * columns stand below a line that sums all of them, and so on. Keys that tell nothing new make no
 * level.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cli/report/report.h"
#include "cli/report/rows.h"

struct text_line {
	const struct row *row;
	unsigned depth;
	unsigned tells; /* the columns that it adds to those of the line above: its name */
	bool group;	/* a sum of the lines below */
};

struct text_level; /* the sums of one level */

struct text_tree {
	struct text_line *line;
	size_t count, room;
	unsigned grouped; /* the columns that groups tell; 0: there are none, all lines are rows */
	struct text_level *level;
	size_t level_count;
	struct rows all; /* the rows without a limit, which sums are of */
};

/* Of @report's rows; 0 or -ENOMEM. text_tree_done() in any case. */
int text_tree_build(const struct report *report, struct text_tree *ret_tree);
void text_tree_done(struct text_tree *tree);
