/* SPDX-License-Identifier: MIT */
/* A table of texts for people. */

#include "cli/report/text_table.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/report/text_cells.h"
#include "symbolize/util.h"

#define NAME_LEAST 8  /* columns that a name behind a lead gets */
#define LAST_LEAST 12 /* columns that the last one gets, even if lines are too long then */

struct cell {
	char *text;
	size_t lead; /* bytes in front of the name that it is; 0: it is no name */
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

static void __attribute__((format(printf, 4, 0)))
add_cell(struct text_table *table, enum style style, size_t lead, const char *format,
	 va_list arguments)
{
	struct cell cell = {.lead = lead, .style = style};
	int length = vasprintf(&cell.text, format, arguments);

	if (length < 0 || !grow(&table->cells, table->count + 1, &table->room)) {
		table->failed = true;
		if (length >= 0)
			free(cell.text);
		return;
	}
	table->cells[table->count++] = cell;
}

void text_table_add(struct text_table *table, enum style style, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add_cell(table, style, 0, format, arguments);
	va_end(arguments);
}

void text_table_add_name(struct text_table *table, enum style style, size_t lead,
			 const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add_cell(table, style, lead, format, arguments);
	va_end(arguments);
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
		used += widths[i] + TEXT_CELLS_GAP;
	return terminal->width > used + LAST_LEAST ? terminal->width - used : LAST_LEAST;
}

/* A name behind its lead, which is not cut. */
static char *shown_name(const struct cell *cell, const struct terminal *terminal, size_t room)
{
	AUTO_FREE char *lead = strndup(cell->text, cell->lead), *name = NULL;
	size_t taken = lead ? terminal_columns(terminal, lead) : 0;
	char *shown;

	if (!lead)
		return NULL;
	if (room && room <= taken + NAME_LEAST)
		return terminal_cut(terminal, cell->text, room);
	name = terminal_text(terminal, cell->text + cell->lead, room ? room - taken : 0);
	return name && asprintf(&shown, "%s%s", lead, name) >= 0 ? shown : NULL;
}

static char *shown_cell(const struct text_table *table, const struct terminal *terminal,
			size_t index, size_t room)
{
	const struct text_table_column *column = &table->columns[index % table->column_count];
	const struct cell *cell = &table->cells[index];

	if (cell->lead)
		return shown_name(cell, terminal, room);
	return column->text ? terminal_cut(terminal, cell->text, room)
			    : terminal_text(terminal, cell->text, room);
}

int text_table_write(struct text_table *table, const struct terminal *terminal, FILE *stream)
{
	AUTO_FREE size_t *widths = calloc(table->column_count, sizeof(*widths));
	struct text_cells cells = {.terminal = terminal, .stream = stream};
	size_t last = table->column_count - 1, room;

	if (!widths || table->failed || !escape_cells(table, terminal))
		return -ENOMEM;
	find_widths(table, terminal, widths);
	room = last_width(table, terminal, widths);
	for (size_t i = 0; i <= last; i++)
		text_cells_add(&cells, title_of(table, terminal, i), i == last ? 0 : widths[i],
			       table->columns[i].left, STYLE_HEAD);
	text_cells_end_line(&cells);
	for (size_t i = 0; i < table->count; i++) {
		size_t column = i % table->column_count;
		AUTO_FREE char *shown = shown_cell(table, terminal, i, column == last ? room : 0);

		text_cells_add(&cells, shown ? shown : "?", column == last ? 0 : widths[column],
			       table->columns[column].left, table->cells[i].style);
		if (column == last)
			text_cells_end_line(&cells);
	}
	return 0;
}
