/* SPDX-License-Identifier: MIT */
/* A table of texts for people. */

#include "cli/report/text_table.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "cli/grow.h"
#include "symbolize/util.h"

#define GAP	   2  /* blanks between columns */
#define LAST_LEAST 12 /* columns that the last one gets, even if lines are too long then */

struct cell {
	char *text;
	enum style style;
};

struct text_table {
	const struct text_table_column *columns;
	size_t column_count;
	struct cell *cells;
	size_t count, room;
	bool failed;
};

struct text_table *text_table_new(const struct text_table_column *columns, size_t count)
{
	struct text_table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->columns = columns;
	table->column_count = count;
	return table;
}

void text_table_free(struct text_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->count; i++)
		free(table->cells[i].text);
	free(table->cells);
	free(table);
}

void text_table_add(struct text_table *table, enum style style, const char *format, ...)
{
	struct cell cell = {.style = style};
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(&cell.text, format, arguments);
	va_end(arguments);
	if (length < 0 || !grow(&table->cells, table->count + 1, &table->room)) {
		table->failed = true;
		if (length >= 0)
			free(cell.text);
		return;
	}
	table->cells[table->count++] = cell;
}

/* Cells as they can be shown without harm; false: out of memory. */
static bool escape_cells(struct text_table *table, const struct terminal *terminal)
{
	for (size_t i = 0; i < table->count; i++) {
		char *shown = terminal_text(terminal, table->cells[i].text, 0);

		if (!shown)
			return false;
		free(table->cells[i].text);
		table->cells[i].text = shown;
	}
	return true;
}

/* Where there is no UTF-8 a title may be another. */
static const char *title_of(const struct text_table *table, const struct terminal *terminal,
			    size_t index)
{
	const struct text_table_column *column = &table->columns[index];

	return column->ascii_title && !terminal->utf8 ? column->ascii_title : column->title;
}

static void find_widths(const struct text_table *table, const struct terminal *terminal,
			size_t *widths)
{
	for (size_t i = 0; i < table->column_count; i++)
		widths[i] = terminal_columns(terminal, title_of(table, terminal, i));
	for (size_t i = 0; i < table->count; i++) {
		size_t taken = terminal_columns(terminal, table->cells[i].text);
		size_t *width = &widths[i % table->column_count];

		*width = taken > *width ? taken : *width;
	}
}

/* What the others leave of the line for the last column; 0: it is not limited. */
static size_t last_width(const struct text_table *table, const struct terminal *terminal,
			 const size_t *widths)
{
	size_t used = 0;

	if (!terminal->width)
		return 0;
	for (size_t i = 0; i + 1 < table->column_count; i++)
		used += widths[i] + GAP;
	return terminal->width > used + LAST_LEAST ? terminal->width - used : LAST_LEAST;
}

struct line {
	const struct terminal *terminal;
	FILE *stream;
	size_t blanks; /* due before the next text: a line never ends in blanks */
};

static void put_cell(struct line *line, const struct text_table_column *column, size_t width,
		     const char *text, enum style style)
{
	size_t taken = terminal_columns(line->terminal, text);
	size_t fill = width > taken ? width - taken : 0;

	line->blanks += column->left ? 0 : fill;
	if (*text) {
		fprintf(line->stream, "%*s%s%s%s", (int)line->blanks, "",
			style == STYLE_PLAIN ? "" : terminal_style(line->terminal, style), text,
			style == STYLE_PLAIN ? "" : terminal_style(line->terminal, STYLE_PLAIN));
		line->blanks = 0;
	}
	line->blanks += (column->left ? fill : 0) + GAP;
}

static void end_line(struct line *line)
{
	putc('\n', line->stream);
	line->blanks = 0;
}

static char *shown_cell(const struct text_table *table, const struct terminal *terminal,
			size_t index, size_t room)
{
	const struct text_table_column *column = &table->columns[index % table->column_count];
	const char *text = table->cells[index].text;

	return column->text ? terminal_cut(terminal, text, room)
			    : terminal_text(terminal, text, room);
}

int text_table_write(struct text_table *table, const struct terminal *terminal, FILE *stream)
{
	AUTO_FREE size_t *widths = calloc(table->column_count, sizeof(*widths));
	struct line line = {.terminal = terminal, .stream = stream};
	size_t last = table->column_count - 1, room;

	if (!widths || table->failed || !escape_cells(table, terminal))
		return -ENOMEM;
	find_widths(table, terminal, widths);
	room = last_width(table, terminal, widths);
	for (size_t i = 0; i <= last; i++)
		put_cell(&line, &table->columns[i], i == last ? 0 : widths[i],
			 title_of(table, terminal, i), STYLE_HEAD);
	end_line(&line);
	for (size_t i = 0; i < table->count; i++) {
		size_t column = i % table->column_count;
		AUTO_FREE char *shown = shown_cell(table, terminal, i, column == last ? room : 0);

		put_cell(&line, &table->columns[column], column == last ? 0 : widths[column],
			 shown ? shown : "?", table->cells[i].style);
		if (column == last)
			end_line(&line);
	}
	return 0;
}
