/* SPDX-License-Identifier: MIT */
/* The cells of aligned lines for people, of which none ends in blanks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/report/terminal.h"

#define TEXT_CELLS_GAP 2 /* blanks between columns */

struct text_cells {
	const struct terminal *terminal;
	FILE *stream;
	size_t blanks; /* due before the next text of the line */
};

/* @text where the line is. */
void text_cells_put(struct text_cells *cells, const char *text, enum style style);

/* @text as the next cell, in a column of @width. */
void text_cells_add(struct text_cells *cells, const char *text, size_t width, bool left,
		    enum style style);
void text_cells_end_line(struct text_cells *cells);
