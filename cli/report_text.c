/* SPDX-License-Identifier: MIT */
/*
 * The format text: a table for people. Numbers stand in front, the name that may be long is the
 * last column, so that nothing is cut in a file and columns stay aligned all the same.
 */

#include "cli/report_text.h"

#include "cli/text_columns.h"
#include "symbolize/util.h"

#define WIDE	    100 /* columns from which a terminal has room for more numbers */
#define NAME_MIN    26	/* columns that the last column should get */
#define NAME_LEAST  12	/* and does get, even if lines are too long then */
#define KERNEL_MIN  1.0 /* percent of all ticks from which kernel time matters */
#define SPARE_MAX   3	/* of the columns' .spare */
#define COLUMNS_MAX 16	/* of the table of columns */

struct layout {
	size_t widths[COLUMNS_MAX];
	size_t name_columns; /* of the last column; 0: no limit */
};

/* The next column from *index on that is wanted, NULL after the last. */
static const struct text_column *next_column(const struct text *text, size_t *index)
{
	const struct text_column *column;

	for (; (column = text_column_at(*index)) && *index < COLUMNS_MAX; (*index)++) {
		if (text_column_wanted(text, column))
			return column;
	}
	return NULL;
}

static const char *title_of(const struct text *text, const struct text_column *column)
{
	return column->ascii_title && !text->terminal->utf8 ? column->ascii_title : column->title;
}

/* Writes @text after the blanks that it needs: a line never ends in blanks. */
static void put_styled(struct text *text, const char *string, enum style style)
{
	if (!*string)
		return;
	fprintf(text->stream, "%*s", (int)text->blanks, "");
	text->blanks = 0;
	if (style == STYLE_PLAIN) {
		fputs(string, text->stream);
		return;
	}
	fprintf(text->stream, "%s%s%s", terminal_style(text->terminal, style), string,
		terminal_style(text->terminal, STYLE_PLAIN));
}

static void put_cell(struct text *text, const struct text_column *column, size_t width,
		     const char *cell, enum style style)
{
	size_t taken = terminal_columns(text->terminal, cell);
	size_t fill = width > taken ? width - taken : 0;

	text->blanks += column->left ? 0 : fill;
	put_styled(text, cell, style);
	text->blanks += (column->left ? fill : 0) + 2;
}

static void end_line(struct text *text)
{
	putc('\n', text->stream);
	text->blanks = 0;
}

/* The last column's text: the most particular thing that the keys tell. */
static const char *name_of(const struct text *text, const struct row *row, const char **ret_title)
{
	if (text_tells(text, COLUMN_FUNCTION) || *row->function) {
		*ret_title = "function";
		return row->function;
	}
	if (text_tells(text, COLUMN_FILE)) {
		*ret_title = "file";
		return *row->file || !*row->object ? row->file : "[no source]";
	}
	*ret_title = text_tells(text, COLUMN_OBJECT) ? "object" : "";
	return row->object;
}

static void put_name(struct text *text, const struct layout *layout, const struct row *row)
{
	const struct rows *rows = text->report->rows;
	const char *title, *name = name_of(text, row, &title);
	AUTO_FREE char *shown = terminal_text(text->terminal, name, layout->name_columns);
	enum style style = STYLE_PLAIN;
	char more[32];

	if (*name == '[')
		style = STYLE_FAINT;
	else if (text_is_hot(text, row))
		style = STYLE_HEAD;
	put_styled(text, shown ? shown : "?", style);
	if (rows->hidden && text_is_other(text, row)) {
		snprintf(more, sizeof(more), " (%zu more)", rows->hidden);
		put_styled(text, more, style);
	}
	end_line(text);
}

static void put_row(struct text *text, const struct layout *layout, const struct row *row)
{
	const struct text_column *column;
	bool hot = text_is_hot(text, row);

	for (size_t i = 0; (column = next_column(text, &i)); i++) {
		char cell[CELL_MAX];

		column->fill(text, row, cell);
		put_cell(text, column, layout->widths[i], cell,
			 hot && column->hot ? STYLE_HOT : column->style);
	}
	put_name(text, layout, row);
	text->sum += row->millis;
}

static void put_head(struct text *text, const struct layout *layout)
{
	static const struct row nothing = {
		.process = "", .run = "", .function = "", .object = "", .file = ""};
	const struct text_column *column;
	const char *title;

	for (size_t i = 0; (column = next_column(text, &i)); i++)
		put_cell(text, column, layout->widths[i], title_of(text, column), STYLE_HEAD);
	name_of(text, &nothing, &title);
	put_styled(text, title, STYLE_HEAD);
	end_line(text);
}

static void widen(const struct text *text, size_t *width, const char *cell)
{
	size_t taken = terminal_columns(text->terminal, cell);

	*width = taken > *width ? taken : *width;
}

/* Every column is as wide as its widest cell. */
static void find_widths(struct text *text, struct layout *layout)
{
	const struct rows *rows = text->report->rows;
	const struct text_column *column;

	for (size_t i = 0; (column = next_column(text, &i)); i++)
		widen(text, &layout->widths[i], title_of(text, column));
	for (size_t j = 0; j < rows->count; j++) {
		for (size_t i = 0; (column = next_column(text, &i)); i++) {
			char cell[CELL_MAX];

			column->fill(text, &rows->row[j], cell);
			widen(text, &layout->widths[i], cell);
		}
		text->sum += rows->row[j].millis;
	}
	text->sum = 0;
}

/* The last column gets what the others leave; some are spared to leave more. */
static void find_layout(struct text *text, struct layout *layout)
{
	size_t width = text->terminal->width, used;

	*layout = (struct layout){.name_columns = 0};
	find_widths(text, layout);
	for (; width; text->spared++) {
		used = 0;
		for (size_t i = 0; next_column(text, &i); i++)
			used += layout->widths[i] + 2;
		layout->name_columns = width > used + NAME_LEAST ? width - used : NAME_LEAST;
		if (layout->name_columns >= NAME_MIN || text->spared == SPARE_MAX)
			return;
	}
}

static bool kernel_matters(const struct rows *rows)
{
	uint64_t kernel = 0;

	if (!rows->kernel_known)
		return false;
	for (size_t i = 0; i < rows->count; i++)
		kernel += rows->row[i].kernel_millis;
	return (double)kernel * 100 >= KERNEL_MIN * (double)rows->millis && kernel;
}

static uint64_t largest(const struct rows *rows)
{
	uint64_t most = 1;

	for (size_t i = 0; i + rows->has_other < rows->count; i++)
		most = rows->row[i].millis > most ? rows->row[i].millis : most;
	return most;
}

int report_text_write(const struct report *report, FILE *stream)
{
	const struct terminal *terminal = report->terminal;
	const struct rows *rows = report->rows;
	struct text text = {
		.report = report,
		.terminal = terminal,
		.stream = stream,
		.most = largest(rows),
		.kernel = kernel_matters(rows),
		.wide = !terminal->is_terminal || terminal->width >= WIDE,
	};
	struct layout layout;

	find_layout(&text, &layout);
	put_head(&text, &layout);
	for (size_t i = 0; i < rows->count; i++)
		put_row(&text, &layout, &rows->row[i]);
	return 0;
}
