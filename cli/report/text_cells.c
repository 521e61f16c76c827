/* SPDX-License-Identifier: MIT */
/* The cells of aligned lines. */

#include "cli/report/text_cells.h"

void text_cells_put(struct text_cells *cells, const char *text, enum style style)
{
	if (!*text)
		return;
	fprintf(cells->stream, "%*s", (int)cells->blanks, "");
	cells->blanks = 0;
	if (style == STYLE_PLAIN) {
		fputs(text, cells->stream);
		return;
	}
	fprintf(cells->stream, "%s%s%s", terminal_style(cells->terminal, style), text,
		terminal_style(cells->terminal, STYLE_PLAIN));
}

void text_cells_add(struct text_cells *cells, const char *text, size_t width, bool left,
		    enum style style)
{
	size_t taken = terminal_columns(cells->terminal, text);
	size_t fill = width > taken ? width - taken : 0;

	cells->blanks += left ? 0 : fill;
	text_cells_put(cells, text, style);
	cells->blanks += (left ? fill : 0) + TEXT_CELLS_GAP;
}

void text_cells_end_line(struct text_cells *cells)
{
	putc('\n', cells->stream);
	cells->blanks = 0;
}
