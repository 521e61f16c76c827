/* SPDX-License-Identifier: MIT */
/* The columns of a text report. */

#include "cli/report/text_columns.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/report/margin.h"
#include "symbolize/util.h"

#define HOT_PERCENT 10.0
#define BAR_MAX	    12 /* columns */

/* Sets the cell, as long as it may be. */
static void __attribute__((format(printf, 2, 3)))
text_set(struct text *text, const char *format, ...)
{
	va_list arguments, again;
	int length;

	va_start(arguments, format);
	va_copy(again, arguments);
	length = vsnprintf(text->cell, text->cell_room, format, arguments);
	if (length >= 0 && (size_t)length >= text->cell_room &&
	    grow(&text->cell, (size_t)length + 1, &text->cell_room))
		length = vsnprintf(text->cell, text->cell_room, format, again);
	if (length < 0 || (size_t)length >= text->cell_room)
		text->failed = true;
	va_end(again);
	va_end(arguments);
}

/* Makes the cell an empty one, which there is from then on; false: no memory. */
static bool text_clear(struct text *text)
{
	if (!grow(&text->cell, 1, &text->cell_room)) {
		text->failed = true;
		return false;
	}
	*text->cell = '\0';
	return true;
}

static bool always(const struct text *text)
{
	(void)text;
	return true;
}

static bool wants_bars(const struct text *text)
{
	return text->terminal->is_terminal && text->terminal->utf8;
}

static bool wants_more(const struct text *text)
{
	return text->wide;
}

static bool wants_kernel(const struct text *text)
{
	return text->kernel;
}

bool text_tells(const struct text *text, enum column column)
{
	return keys_tell(&text->report->options->by, column);
}

/* A column of its own: it is told, but neither by groups nor as the name of a row in them. */
static bool wants_told(const struct text *text, enum column column)
{
	unsigned told = text->report->options->by.tells;
	bool names = text->grouped & (1U << COLUMN_FUNCTION);

	return told & ~text->grouped & (1U << column) && !names;
}

static bool wants_process(const struct text *text)
{
	return wants_told(text, COLUMN_PROCESS);
}

static bool wants_thread(const struct text *text)
{
	return wants_told(text, COLUMN_THREAD);
}

static bool wants_run(const struct text *text)
{
	return wants_told(text, COLUMN_RUN);
}

static bool wants_address(const struct text *text)
{
	return wants_told(text, COLUMN_ADDRESS);
}

static bool wants_line(const struct text *text)
{
	return wants_told(text, COLUMN_LINE);
}

/* The object's own column; where nothing else is told it is the last one. */
static bool wants_object(const struct text *text)
{
	bool grouped =
		text->grouped & (1U << COLUMN_OBJECT) && !(text->grouped & (1U << COLUMN_FUNCTION));

	return text_tells(text, COLUMN_OBJECT) && !grouped &&
	       (text_tells(text, COLUMN_FUNCTION) || text_tells(text, COLUMN_FILE));
}

static void fill_percent(struct text *text, const struct row *row)
{
	const char *mark = row->estimated ? "~" : "";

	text_set(text, "%s%.1f%%", mark, row_percent(text->report->rows, row));
}

static void fill_margin(struct text *text, const struct row *row)
{
	text_set(text, "%s%.1f", text->terminal->utf8 ? "±" : "+-",
		 row_margin(text->report->rows, row));
}

/* Columns of the longest bar. */
static uint64_t bar_columns(const struct text *text)
{
	return text->wide ? BAR_MAX : BAR_MAX / 2;
}

/* Eighths of a column: U+2588 is a full one, U+2589 seven eighths, down to U+258F. */
static void fill_bar(struct text *text, const struct row *row)
{
	uint64_t eighths = (row->millis * bar_columns(text) * 8 + text->most / 2) / text->most;
	char bar[BAR_MAX * 3 + 1] = "", *end = bar;

	if (text_is_other(text, row))
		return;
	if (eighths == 0)
		eighths = 1;
	for (; eighths >= 8; eighths -= 8)
		end = stpcpy(end, "\xe2\x96\x88");
	if (eighths)
		sprintf(end, "\xe2\x96%c", (char)(0x88 + 8 - eighths));
	text_set(text, "%s", bar);
}

static void fill_seconds(struct text *text, const struct row *row)
{
	const struct rows *rows = text->report->rows;

	text_set(text, "%.*f", margin_decimals(rows->period_seconds), row_seconds(rows, row));
}

static void fill_sum(struct text *text, const struct row *row)
{
	const struct rows *rows = text->report->rows;

	if (text->group)
		return;
	text_set(text, "%.1f%%", 100.0 * (double)(text->sum + row->millis) / (double)rows->millis);
}

static void fill_kernel(struct text *text, const struct row *row)
{
	(void)text;
	if (row->kernel_millis)
		text_set(text, "%.0f%%", row_kernel_percent(row));
}

/* @source as it may be shown, cut at @columns on a terminal. */
static void fill_text(struct text *text, const char *source, size_t columns)
{
	AUTO_FREE char *shown =
		terminal_text(text->terminal, source, text->terminal->is_terminal ? columns : 0);

	text_set(text, "%s", shown ? shown : "?");
}

static void fill_process(struct text *text, const struct row *row)
{
	fill_text(text, row->process, 24);
}

static void fill_thread(struct text *text, const struct row *row)
{
	fill_text(text, row->thread, 24);
}

static void fill_run(struct text *text, const struct row *row)
{
	fill_text(text, row->run, 24);
}

static void fill_address(struct text *text, const struct row *row)
{
	(void)text;
	if (*row->object)
		text_set(text, "0x%" PRIx64, row->address);
}

/* "deflate.c:1234"; a file has room for the whole path. */
static void fill_line(struct text *text, const struct row *row)
{
	const char *slash = strrchr(row->file, '/');
	const char *file = slash && text->terminal->is_terminal ? slash + 1 : row->file;
	AUTO_FREE char *line = NULL;

	if (!*file)
		return;
	if (asprintf(&line, row->line ? "%s:%u" : "%s", file, row->line) < 0) {
		line = NULL;
		text->failed = true;
		return;
	}
	fill_text(text, line, text->wide ? 40 : 24);
}

/* As a column: a file that stands above its lines has none. */
static void fill_line_column(struct text *text, const struct row *row)
{
	if (!text->group)
		fill_line(text, row);
}

/* Where a library's version does not fit it goes first, "libpython3.11" of "libpython3.11.so.1.0",
 * and then the end, "_json.cpython…". */
static void fill_object(struct text *text, const struct row *row)
{
	const size_t columns = text->terminal->is_terminal ? (text->wide ? 32 : 14) : 0;
	const char *suffix = strstr(row->object, ".so");
	AUTO_FREE char *stem = NULL, *shown = NULL;

	if (columns && suffix && terminal_columns(text->terminal, row->object) > columns)
		stem = strndup(row->object, (size_t)(suffix - row->object));
	shown = terminal_cut(text->terminal, stem ? stem : row->object, columns);
	text_set(text, "%s", shown ? shown : "?");
}

/* Rows that are no code have their name here whatever is told. */
static const char *function_of(const struct row *row)
{
	return row->function;
}

static const char *file_of(const struct row *row)
{
	return *row->file || !*row->object ? row->file : "[no source]";
}

static const char *object_of(const struct row *row)
{
	return row->object;
}

static const char *thread_of(const struct row *row)
{
	return row->thread;
}

static const char *process_of(const struct row *row)
{
	return row->process;
}

static const char *run_of(const struct row *row)
{
	return row->run;
}

/* What names a line, the most particular first; .fill makes it of several columns. */
static const struct {
	enum column column;
	const char *title;
	const char *(*of)(const struct row *row);
	void (*fill)(struct text *text, const struct row *row);
} names[] = {
	{.column = COLUMN_FUNCTION, .title = "function", .of = function_of},
	{.column = COLUMN_LINE, .title = "line", .fill = fill_line},
	{.column = COLUMN_ADDRESS, .title = "address", .fill = fill_address},
	{.column = COLUMN_FILE, .title = "file", .of = file_of},
	{.column = COLUMN_OBJECT, .title = "object", .of = object_of},
	{.column = COLUMN_THREAD, .title = "thread", .of = thread_of},
	{.column = COLUMN_PROCESS, .title = "process", .of = process_of},
	{.column = COLUMN_RUN, .title = "run", .of = run_of},
};

const char *text_name(struct text *text, const struct row *row, unsigned tells,
		      const char **ret_title)
{
	*ret_title = "";
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!(tells & (1U << names[i].column)))
			continue;
		*ret_title = names[i].title;
		if (names[i].of)
			return names[i].of(row);
		if (!text_clear(text))
			return "?";
		names[i].fill(text, row);
		return *text->cell || !*row->object ? text->cell : "[no source]";
	}
	return row->function;
}

static const struct text_column columns[] = {
	{.title = "share", .hot = true, .wanted = always, .fill = fill_percent},
	{.title = "±95%",
	 .ascii_title = "+-95%",
	 .style = STYLE_FAINT,
	 .wanted = always,
	 .fill = fill_margin},
	{.title = "",
	 .style = STYLE_BAR,
	 .left = true,
	 .spare = 1,
	 .wanted = wants_bars,
	 .fill = fill_bar},
	{.title = "sum", .wanted = wants_more, .fill = fill_sum},
	{.title = "CPU s", .wanted = always, .fill = fill_seconds},
	{.title = "kernel", .spare = 2, .wanted = wants_kernel, .fill = fill_kernel},
	{.title = "process", .left = true, .wanted = wants_process, .fill = fill_process},
	{.title = "thread", .left = true, .wanted = wants_thread, .fill = fill_thread},
	{.title = "run", .left = true, .wanted = wants_run, .fill = fill_run},
	{.title = "address", .left = true, .wanted = wants_address, .fill = fill_address},
	{.title = "line", .left = true, .wanted = wants_line, .fill = fill_line_column},
	{
		.title = "object",
		.style = STYLE_FAINT,
		.left = true,
		.spare = 3,
		.wanted = wants_object,
		.fill = fill_object,
	},
};

const char *text_cell(struct text *text, const struct text_column *column, const struct row *row)
{
	if (!text_clear(text))
		return "?";
	column->fill(text, row);
	return text->cell;
}

const struct text_column *text_column_at(size_t index)
{
	return index < ARRAY_SIZE(columns) ? &columns[index] : NULL;
}

bool text_column_wanted(const struct text *text, const struct text_column *column)
{
	return column->wanted(text) && !(column->spare && column->spare <= text->spared);
}

bool text_is_other(const struct text *text, const struct row *row)
{
	const struct rows *rows = text->report->rows;

	return rows->has_other && row == &rows->row[rows->count - 1];
}

bool text_is_hot(const struct text *text, const struct row *row)
{
	return *row->function != '[' && row_percent(text->report->rows, row) >= HOT_PERCENT;
}
