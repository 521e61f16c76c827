/* SPDX-License-Identifier: MIT */
/*
 * The format text: a table for people. Numbers stand in front, the name that may be long is the
 * last column, so that nothing is cut in a file and columns stay aligned all the same.
 */

#include "cli/report/report_text.h"

#include <errno.h>

#include "cli/report/text_columns.h"
#include "cli/report/text_tree.h"
#include "symbolize/util.h"

#define WIDE	    100 /* columns from which a terminal has room for more numbers */
#define NAME_MIN    26	/* columns that the last column should get */
#define NAME_LEAST  12	/* and does get, even if lines are too long then */
#define KERNEL_MIN  1.0 /* percent of all ticks from which kernel time matters */
#define INDENT	    2	/* columns for each level of the tree */
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

/* Code told by a function is not named by its file as well, nor by its object. */
static unsigned flat_name(unsigned tells)
{
	if (tells & (1U << COLUMN_FUNCTION))
		return 1U << COLUMN_FUNCTION;
	return tells;
}

/* The last column's text: of flat rows the most particular thing that code is told by. */
static const char *name_of(struct text *text, const struct text_line *line, const char **ret_title)
{
	const unsigned of_code = 1U << COLUMN_FUNCTION | 1U << COLUMN_FILE | 1U << COLUMN_OBJECT;
	bool special = !line->group && *line->row->function && !*line->row->object;

	if (special)
		return text_name(text, line->row, 1U << COLUMN_FUNCTION, ret_title);
	if (!text->grouped)
		return text_name(text, line->row, flat_name(line->tells & of_code), ret_title);
	return text_name(text, line->row, line->tells, ret_title);
}

static void put_name(struct text *text, const struct layout *layout, const struct text_line *line)
{
	const struct rows *rows = text->report->rows;
	const char *title, *name = name_of(text, line, &title);
	size_t indent = INDENT * line->depth;
	size_t room = layout->name_columns;
	AUTO_FREE char *shown =
		terminal_text(text->terminal, name, room > indent ? room - indent : room);
	enum style style = STYLE_PLAIN;
	char more[32];

	if (*name == '[')
		style = STYLE_FAINT;
	else if (line->group || text_is_hot(text, line->row))
		style = STYLE_HEAD;
	text->cells.blanks += indent;
	text_cells_put(&text->cells, shown ? shown : "?", style);
	if (rows->hidden && text_is_other(text, line->row)) {
		snprintf(more, sizeof(more), " (%zu more)", rows->hidden);
		text_cells_put(&text->cells, more, style);
	}
	text_cells_end_line(&text->cells);
}

static void put_line(struct text *text, const struct layout *layout, const struct text_line *line)
{
	const struct text_column *column;
	bool hot = text_is_hot(text, line->row);

	text->group = line->group;
	for (size_t i = 0; (column = next_column(text, &i)); i++) {
		text_cells_add(&text->cells, text_cell(text, column, line->row), layout->widths[i],
			       column->left, hot && column->hot ? STYLE_HOT : column->style);
	}
	put_name(text, layout, line);
	text->sum += line->group ? 0 : line->row->millis;
}

/* "process, function": what stands in the last column, from the first level inwards. */
static void put_title(struct text *text)
{
	const struct keys *keys = &text->report->options->by;
	char title[128] = "";
	size_t length = 0;

	if (!text->grouped) {
		static const struct row nothing = {.process = "",
						   .thread = "",
						   .run = "",
						   .function = "",
						   .object = "",
						   .file = ""};
		const struct text_line line = {.row = &nothing, .tells = keys->tells};
		const char *name;

		name_of(text, &line, &name);
		text_cells_put(&text->cells, name, STYLE_HEAD);
		return;
	}
	for (size_t i = 0; i < keys->count && length < sizeof(title); i++)
		length += (size_t)snprintf(title + length, sizeof(title) - length, "%s%s",
					   i ? " > " : "", keys->key[i]->name);
	text_cells_put(&text->cells, title, STYLE_HEAD);
}

static void put_head(struct text *text, const struct layout *layout)
{
	const struct text_column *column;

	for (size_t i = 0; (column = next_column(text, &i)); i++)
		text_cells_add(&text->cells, title_of(text, column), layout->widths[i],
			       column->left, STYLE_HEAD);
	put_title(text);
	text_cells_end_line(&text->cells);
}

static void widen(const struct text *text, size_t *width, const char *cell)
{
	size_t taken = terminal_columns(text->terminal, cell);

	*width = taken > *width ? taken : *width;
}

/* Every column is as wide as its widest cell. */
static void find_widths(struct text *text, const struct text_tree *tree, struct layout *layout)
{
	const struct text_column *column;

	for (size_t i = 0; (column = next_column(text, &i)); i++)
		widen(text, &layout->widths[i], title_of(text, column));
	for (size_t j = 0; j < tree->count; j++) {
		const struct text_line *line = &tree->line[j];

		text->group = line->group;
		for (size_t i = 0; (column = next_column(text, &i)); i++)
			widen(text, &layout->widths[i], text_cell(text, column, line->row));
		text->sum += line->group ? 0 : line->row->millis;
	}
	text->sum = 0;
}

/* The last column gets what the others leave; some are spared to leave more. */
static void find_layout(struct text *text, const struct text_tree *tree, struct layout *layout)
{
	size_t width = text->terminal->width, used;

	*layout = (struct layout){.name_columns = 0};
	find_widths(text, tree, layout);
	for (; width; text->spared++) {
		used = 0;
		for (size_t i = 0; next_column(text, &i); i++)
			used += layout->widths[i] + TEXT_CELLS_GAP;
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

static uint64_t largest(const struct text *text, const struct text_tree *tree)
{
	uint64_t most = 1;

	for (size_t i = 0; i < tree->count; i++) {
		const struct row *row = tree->line[i].row;

		if (!text_is_other(text, row))
			most = row->millis > most ? row->millis : most;
	}
	return most;
}

int report_text_write(const struct report *report, FILE *stream)
{
	const struct terminal *terminal = report->terminal;
	struct text text = {
		.report = report,
		.terminal = terminal,
		.cells = {.terminal = terminal, .stream = stream},
		.kernel = kernel_matters(report->rows),
		.wide = !terminal->is_terminal || terminal->width >= WIDE,
	};
	struct text_tree tree;
	struct layout layout;
	int code = text_tree_build(report, &tree);

	if (code == 0) {
		text.grouped = tree.grouped;
		text.most = largest(&text, &tree);
		find_layout(&text, &tree, &layout);
		put_head(&text, &layout);
	}
	for (size_t i = 0; i < tree.count && code == 0; i++)
		put_line(&text, &layout, &tree.line[i]);
	text_tree_done(&tree);
	free(text.cell);
	return code == 0 && text.failed ? -ENOMEM : code;
}
