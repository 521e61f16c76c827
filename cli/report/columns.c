/* SPDX-License-Identifier: MIT */
/* The columns of rows for programs to read. */

#include "cli/report/columns.h"

#include <inttypes.h>
#include <string.h>

#include "cli/report/shares.h"
#include "symbolize/util.h"

static const char *text_process(const struct row *row)
{
	return row->process;
}

static const char *text_thread(const struct row *row)
{
	return row->thread;
}

static const char *text_run(const struct row *row)
{
	return row->run;
}

static const char *text_function(const struct row *row)
{
	return row->function;
}

static const char *text_object(const struct row *row)
{
	return row->object;
}

static const char *text_file(const struct row *row)
{
	return row->file;
}

/* Hexadecimal, which JSON has no number for; rows that sum up, and those of no code, have none. */
static const char *text_address(const struct row *row)
{
	static char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, row->address);
	return *row->object ? text : "";
}

static bool put_line(const struct column_line *line, FILE *stream)
{
	return line->row->line && fprintf(stream, "%u", line->row->line);
}

/* Three decimals only where it is not whole. */
static bool put_ticks(const struct column_line *line, FILE *stream)
{
	uint64_t millis = line->row->millis;

	fprintf(stream, "%" PRIu64, millis / MILLIS);
	if (millis % MILLIS)
		fprintf(stream, ".%03" PRIu64, millis % MILLIS);
	return true;
}

static bool put_seconds(const struct column_line *line, FILE *stream)
{
	return fprintf(stream, "%.3f", row_seconds(line->rows, line->row));
}

static bool put_percent(const struct column_line *line, FILE *stream)
{
	return fprintf(stream, "%.3f", row_percent(line->rows, line->row));
}

static bool put_margin(const struct column_line *line, FILE *stream)
{
	return fprintf(stream, "%.3f", row_margin(line->rows, line->row));
}

static bool put_cumulative(const struct column_line *line, FILE *stream)
{
	return fprintf(stream, "%.3f",
		       100.0 * (double)line->sum_millis / (double)line->rows->millis);
}

static bool put_kernel(const struct column_line *line, FILE *stream)
{
	return line->rows->kernel_known && fprintf(stream, "%.3f", row_kernel_percent(line->row));
}

static bool put_estimated(const struct column_line *line, FILE *stream)
{
	return putc(line->row->estimated ? '1' : '0', stream);
}

static int compare_process(const struct row *a, const struct row *b)
{
	return strcmp(a->process, b->process);
}

static int compare_thread(const struct row *a, const struct row *b)
{
	return strcmp(a->thread, b->thread);
}

static int compare_run(const struct row *a, const struct row *b)
{
	return strcmp(a->run, b->run);
}

static int compare_address(const struct row *a, const struct row *b)
{
	return (a->address > b->address) - (a->address < b->address);
}

static int compare_function(const struct row *a, const struct row *b)
{
	return strcmp(a->function, b->function);
}

static int compare_object(const struct row *a, const struct row *b)
{
	return strcmp(a->object, b->object);
}

static int compare_file(const struct row *a, const struct row *b)
{
	return strcmp(a->file, b->file);
}

/* Lines rise within their file. */
static int compare_line(const struct row *a, const struct row *b)
{
	int order = compare_file(a, b);

	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int compare_kernel(const struct row *a, const struct row *b)
{
	double of_a = row_kernel_percent(a), of_b = row_kernel_percent(b);

	return (of_a < of_b) - (of_a > of_b);
}

static int compare_estimated(const struct row *a, const struct row *b)
{
	return b->estimated - a->estimated;
}

/* Those that a key adds in front. */
static const struct column_format front_columns[COLUMNS] = {
	[COLUMN_PROCESS] = {.name = "process", .text = text_process, .compare = compare_process},
	[COLUMN_THREAD] = {.name = "thread", .text = text_thread, .compare = compare_thread},
	[COLUMN_RUN] = {.name = "run", .text = text_run, .compare = compare_run},
	[COLUMN_ADDRESS] = {.name = "address", .text = text_address, .compare = compare_address},
};

static const struct column_format columns[] = {
	{.name = "function", .text = text_function, .compare = compare_function},
	{.name = "object", .text = text_object, .compare = compare_object},
	{.name = "file", .text = text_file, .compare = compare_file},
	{.name = "line", .number = put_line, .compare = compare_line},
	{.name = "ticks", .number = put_ticks},
	{.name = "seconds", .number = put_seconds},
	{.name = "percent", .number = put_percent},
	{.name = "margin", .number = put_margin},
	{.name = "cumulative_percent", .number = put_cumulative},
	{.name = "kernel_percent", .number = put_kernel, .compare = compare_kernel},
	{.name = "estimated", .number = put_estimated, .flag = true, .compare = compare_estimated},
};

const struct column_format *column_at(const struct keys *keys, size_t index)
{
	for (size_t i = 0; i < keys->count; i++) {
		if (keys->key[i]->front >= 0 && index-- == 0)
			return &front_columns[keys->key[i]->front];
	}
	return index < ARRAY_SIZE(columns) ? &columns[index] : NULL;
}

const struct column_format *column_of(size_t index)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		if (front_columns[i].name && index-- == 0)
			return &front_columns[i];
	}
	return index < ARRAY_SIZE(columns) ? &columns[index] : NULL;
}

const char *column_name(size_t index)
{
	const struct column_format *column = column_of(index);

	return column ? column->name : NULL;
}
