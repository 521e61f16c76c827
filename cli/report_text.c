/* SPDX-License-Identifier: MIT */
/*
 * The format text: a table for people. Numbers stand in front, the name that may be long is the
 * last column, so that nothing is cut in a file and columns stay aligned all the same.
 */

#include "cli/report_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "cli/rows.h"
#include "cli/terminal.h"
#include "symbolize/util.h"

#define WIDE	    100 /* columns from which a terminal has room for more numbers */
#define NAME_MIN    24	/* columns that the last column gets at least */
#define KERNEL_MIN  1.0 /* percent of all ticks from which kernel time matters */
#define HOT_PERCENT 10.0

/* A table on its way out. */
struct text {
	const struct report *report;
	const struct terminal *terminal;
	FILE *stream;
	uint64_t most; /* thousandths of ticks in the largest row: a full bar */
	uint64_t sum;  /* of the rows down to the present one */
	size_t blanks; /* due before the next text of the line */
	bool kernel, bars, wide;
};

#define CELL_MAX 160

struct text_column {
	const char *title;
	const char *ascii_title; /* where there is no UTF-8; NULL: the same */
	enum style style;
	bool left; /* aligned */
	bool (*wanted)(const struct text *text);
	/* The cell of @row in @cell, of CELL_MAX bytes. */
	void (*fill)(const struct text *text, const struct row *row, char *cell);
};

static bool always(const struct text *text)
{
	(void)text;
	return true;
}

static bool wants_bars(const struct text *text)
{
	return text->bars;
}

static bool wants_more(const struct text *text)
{
	return text->wide;
}

static bool wants_kernel(const struct text *text)
{
	return text->kernel;
}

static bool tells(const struct text *text, enum column column)
{
	return text->report->options->by.tells & (1U << column);
}

static bool wants_process(const struct text *text)
{
	return tells(text, COLUMN_PROCESS);
}

static bool wants_run(const struct text *text)
{
	return tells(text, COLUMN_RUN);
}

static bool wants_address(const struct text *text)
{
	return tells(text, COLUMN_ADDRESS);
}

static bool wants_line(const struct text *text)
{
	return tells(text, COLUMN_LINE);
}

/* The object's own column; where nothing else is told it is the last one. */
static bool wants_object(const struct text *text)
{
	return tells(text, COLUMN_OBJECT) &&
	       (tells(text, COLUMN_FUNCTION) || tells(text, COLUMN_FILE));
}

static void fill_percent(const struct text *text, const struct row *row, char *cell)
{
	const char *mark = row->estimated ? "~" : "";

	snprintf(cell, CELL_MAX, "%s%.1f%%", mark, row_percent(text->report->rows, row));
}

static void fill_margin(const struct text *text, const struct row *row, char *cell)
{
	snprintf(cell, CELL_MAX, "%s%.1f", text->terminal->utf8 ? "±" : "+-",
		 row_margin(text->report->rows, row));
}

/* Columns of the longest bar. */
static uint64_t bar_columns(const struct text *text)
{
	return text->wide ? 12 : 6;
}

/* Eighths of a column: U+2588 is a full one, U+2589 seven eighths, down to U+258F. */
static void fill_bar(const struct text *text, const struct row *row, char *cell)
{
	uint64_t eighths = (row->millis * bar_columns(text) * 8 + text->most / 2) / text->most;

	*cell = '\0';
	if (text->report->rows->has_other &&
	    row == &text->report->rows->row[text->report->rows->count - 1])
		return;
	if (eighths == 0)
		eighths = 1;
	for (; eighths >= 8; eighths -= 8)
		cell = stpcpy(cell, "\xe2\x96\x88");
	if (eighths)
		sprintf(cell, "\xe2\x96%c", (char)(0x88 + 8 - eighths));
}

static void fill_seconds(const struct text *text, const struct row *row, char *cell)
{
	snprintf(cell, CELL_MAX, "%.2f", row_seconds(text->report->rows, row));
}

static void fill_sum(const struct text *text, const struct row *row, char *cell)
{
	const struct rows *rows = text->report->rows;

	snprintf(cell, CELL_MAX, "%.1f%%",
		 100.0 * (double)(text->sum + row->millis) / (double)rows->millis);
}

static void fill_kernel(const struct text *text, const struct row *row, char *cell)
{
	(void)text;
	*cell = '\0';
	if (row->kernel_millis)
		snprintf(cell, CELL_MAX, "%.0f%%", row_kernel_percent(row));
}

/* @source as it may be shown, cut at @columns on a terminal. */
static void fill_text(const struct text *text, const char *source, size_t columns, char *cell)
{
	AUTO_FREE char *shown =
		terminal_text(text->terminal, source, text->terminal->is_terminal ? columns : 0);

	snprintf(cell, CELL_MAX, "%s", shown ? shown : "?");
}

static void fill_process(const struct text *text, const struct row *row, char *cell)
{
	fill_text(text, row->process, 24, cell);
}

static void fill_run(const struct text *text, const struct row *row, char *cell)
{
	fill_text(text, row->run, 24, cell);
}

static void fill_address(const struct text *text, const struct row *row, char *cell)
{
	(void)text;
	*cell = '\0';
	if (*row->object)
		snprintf(cell, CELL_MAX, "0x%" PRIx64, row->address);
}

/* "deflate.c:1234"; a file has room for the whole path. */
static void fill_line(const struct text *text, const struct row *row, char *cell)
{
	const char *slash = strrchr(row->file, '/');
	const char *file = slash && text->terminal->is_terminal ? slash + 1 : row->file;
	AUTO_FREE char *line = NULL;

	*cell = '\0';
	if (!*file)
		return;
	if (asprintf(&line, row->line ? "%s:%u" : "%s", file, row->line) < 0) {
		line = NULL;
		return;
	}
	fill_text(text, line, text->wide ? 40 : 24, cell);
}

static void fill_object(const struct text *text, const struct row *row, char *cell)
{
	fill_text(text, row->object, text->wide ? 32 : 14, cell);
}

static const struct text_column columns[] = {
	{.title = "share", .wanted = always, .fill = fill_percent},
	{.title = "±95%",
	 .ascii_title = "+-95%",
	 .style = STYLE_FAINT,
	 .wanted = always,
	 .fill = fill_margin},
	{.title = "", .style = STYLE_BAR, .left = true, .wanted = wants_bars, .fill = fill_bar},
	{.title = "sum", .wanted = wants_more, .fill = fill_sum},
	{.title = "CPU s", .wanted = always, .fill = fill_seconds},
	{.title = "kernel", .wanted = wants_kernel, .fill = fill_kernel},
	{.title = "process", .left = true, .wanted = wants_process, .fill = fill_process},
	{.title = "run", .left = true, .wanted = wants_run, .fill = fill_run},
	{.title = "address", .left = true, .wanted = wants_address, .fill = fill_address},
	{.title = "line", .left = true, .wanted = wants_line, .fill = fill_line},
	{
		.title = "object",
		.style = STYLE_FAINT,
		.left = true,
		.wanted = wants_object,
		.fill = fill_object,
	},
};

static const char *title_of(const struct text *text, size_t column)
{
	if (columns[column].ascii_title && !text->terminal->utf8)
		return columns[column].ascii_title;
	return columns[column].title;
}

struct layout {
	size_t widths[ARRAY_SIZE(columns)];
	size_t name_columns; /* of the last column; 0: no limit */
};

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

static void put_cell(struct text *text, const struct layout *layout, size_t column,
		     const char *cell, enum style style)
{
	size_t taken = terminal_columns(text->terminal, cell);
	size_t width = layout->widths[column];
	size_t fill = width > taken ? width - taken : 0;

	text->blanks += columns[column].left ? 0 : fill;
	put_styled(text, cell, style);
	text->blanks += (columns[column].left ? fill : 0) + 2;
}

static void end_line(struct text *text)
{
	putc('\n', text->stream);
	text->blanks = 0;
}

/* The last column's text: the most particular thing that the keys tell. */
static const char *name_of(const struct text *text, const struct row *row, const char **ret_title)
{
	if (tells(text, COLUMN_FUNCTION) || *row->function) {
		*ret_title = "function";
		return row->function;
	}
	if (tells(text, COLUMN_FILE)) {
		*ret_title = "file";
		return *row->file || !*row->object ? row->file : "[no source]";
	}
	*ret_title = tells(text, COLUMN_OBJECT) ? "object" : "";
	return row->object;
}

/* Rows of unknown code and sums never are. */
static bool is_hot(const struct text *text, const struct row *row)
{
	return *row->function != '[' && row_percent(text->report->rows, row) >= HOT_PERCENT;
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
	else if (is_hot(text, row))
		style = STYLE_HEAD;
	put_styled(text, shown ? shown : "?", style);
	if (rows->hidden && rows->has_other && row == &rows->row[rows->count - 1]) {
		snprintf(more, sizeof(more), " (%zu more)", rows->hidden);
		put_styled(text, more, style);
	}
	end_line(text);
}

static void put_row(struct text *text, const struct layout *layout, const struct row *row)
{
	bool hot = is_hot(text, row);

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		enum style style = columns[i].style;
		char cell[CELL_MAX];

		if (!columns[i].wanted(text))
			continue;
		columns[i].fill(text, row, cell);
		if (columns[i].fill == fill_percent && hot)
			style = STYLE_HOT;
		put_cell(text, layout, i, cell, style);
	}
	put_name(text, layout, row);
	text->sum += row->millis;
}

static void put_head(struct text *text, const struct layout *layout)
{
	static const struct row nothing = {
		.process = "", .run = "", .function = "", .object = "", .file = ""};
	const char *title;

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		if (columns[i].wanted(text))
			put_cell(text, layout, i, title_of(text, i), STYLE_HEAD);
	}
	name_of(text, &nothing, &title);
	put_styled(text, title, STYLE_HEAD);
	end_line(text);
}

/* Widens the columns to the cells of @row. */
static void fit_row(struct text *text, struct layout *layout, const struct row *row)
{
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		char cell[CELL_MAX];
		size_t taken;

		if (!columns[i].wanted(text))
			continue;
		columns[i].fill(text, row, cell);
		taken = terminal_columns(text->terminal, cell);
		if (taken > layout->widths[i])
			layout->widths[i] = taken;
	}
	text->sum += row->millis;
}

/* Every column is as wide as its widest cell; the last one gets what is left. */
static void find_layout(struct text *text, struct layout *layout)
{
	const struct rows *rows = text->report->rows;
	size_t used = 0, width = text->terminal->width;

	*layout = (struct layout){.name_columns = 0};
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		if (columns[i].wanted(text))
			layout->widths[i] = terminal_columns(text->terminal, title_of(text, i));
	}
	for (size_t i = 0; i < rows->count; i++)
		fit_row(text, layout, &rows->row[i]);
	text->sum = 0;
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		if (columns[i].wanted(text))
			used += layout->widths[i] + 2;
	}
	if (width)
		layout->name_columns = width > used + NAME_MIN ? width - used : NAME_MIN;
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
		.bars = terminal->is_terminal && terminal->utf8,
		.wide = !terminal->is_terminal || terminal->width >= WIDE,
	};
	struct layout layout;

	find_layout(&text, &layout);
	put_head(&text, &layout);
	for (size_t i = 0; i < rows->count; i++)
		put_row(&text, &layout, &rows->row[i]);
	return 0;
}
