/* SPDX-License-Identifier: MIT */
/*
 * The format csv: RFC 4180 with "\n" line ends. Text is quoted when it holds a comma, a quote or a
 * line end; bytes that are no UTF-8 are written as \xNN.
 */

#include "cli/report_csv.h"

#include <inttypes.h>
#include <string.h>

#include "cli/report.h"
#include "cli/rows.h"
#include "cli/shares.h"
#include "cli/utf8.h"
#include "symbolize/util.h"

/* A row and what has been summed up down to it. */
struct line {
	const struct rows *rows;
	const struct row *row;
	double cumulative_percent;
};

struct csv_column {
	const char *name;
	void (*write)(const struct line *line, FILE *stream);
};

static void write_text(const char *text, FILE *stream)
{
	bool quoted = text[strcspn(text, ",\"\r\n")];

	if (quoted)
		putc('"', stream);
	while (*text) {
		size_t length = utf8_length(text);

		if (*text == '"')
			putc('"', stream);
		if (length)
			fwrite(text, 1, length, stream);
		else
			fprintf(stream, "\\x%02X", (unsigned char)*text);
		text += length ? length : 1;
	}
	if (quoted)
		putc('"', stream);
}

static void write_process(const struct line *line, FILE *stream)
{
	write_text(line->row->process, stream);
}

static void write_address(const struct line *line, FILE *stream)
{
	/* The rows that sum up, and those that are no code, have none. */
	if (*line->row->object)
		fprintf(stream, "0x%" PRIx64, line->row->address);
}

static void write_function(const struct line *line, FILE *stream)
{
	write_text(line->row->function, stream);
}

static void write_object(const struct line *line, FILE *stream)
{
	write_text(line->row->object, stream);
}

static void write_file(const struct line *line, FILE *stream)
{
	write_text(line->row->file, stream);
}

static void write_line_number(const struct line *line, FILE *stream)
{
	if (line->row->line)
		fprintf(stream, "%u", line->row->line);
}

static void write_ticks(const struct line *line, FILE *stream)
{
	uint64_t millis = line->row->millis;

	fprintf(stream, "%" PRIu64, millis / MILLIS);
	if (millis % MILLIS)
		fprintf(stream, ".%03" PRIu64, millis % MILLIS);
}

static void write_seconds(const struct line *line, FILE *stream)
{
	fprintf(stream, "%.3f", row_seconds(line->rows, line->row));
}

static void write_percent(const struct line *line, FILE *stream)
{
	fprintf(stream, "%.3f", row_percent(line->rows, line->row));
}

static void write_margin(const struct line *line, FILE *stream)
{
	fprintf(stream, "%.3f", row_margin(line->rows, line->row));
}

static void write_cumulative(const struct line *line, FILE *stream)
{
	fprintf(stream, "%.3f", line->cumulative_percent);
}

static void write_kernel(const struct line *line, FILE *stream)
{
	if (line->rows->kernel_known)
		fprintf(stream, "%.3f", row_kernel_percent(line->row));
}

static void write_estimated(const struct line *line, FILE *stream)
{
	putc(line->row->estimated ? '1' : '0', stream);
}

/* Those that a key adds in front. */
static const struct csv_column front_columns[COLUMNS] = {
	[COLUMN_PROCESS] = {"process", write_process},
	[COLUMN_ADDRESS] = {"address", write_address},
};

static const struct csv_column columns[] = {
	{"function", write_function},
	{"object", write_object},
	{"file", write_file},
	{"line", write_line_number},
	{"ticks", write_ticks},
	{"seconds", write_seconds},
	{"percent", write_percent},
	{"margin", write_margin},
	{"cumulative_percent", write_cumulative},
	{"kernel_percent", write_kernel},
	{"estimated", write_estimated},
};

/* The column at @index of a line by @keys, NULL after the last. */
static const struct csv_column *column_at(const struct keys *keys, size_t index)
{
	for (size_t i = 0; i < keys->count; i++) {
		if (keys->key[i]->front >= 0 && index-- == 0)
			return &front_columns[keys->key[i]->front];
	}
	return index < ARRAY_SIZE(columns) ? &columns[index] : NULL;
}

static void write_line(const struct keys *keys, const struct line *line, FILE *stream)
{
	const struct csv_column *column;

	for (size_t i = 0; (column = column_at(keys, i)); i++) {
		if (i)
			putc(',', stream);
		if (line)
			column->write(line, stream);
		else
			fputs(column->name, stream);
	}
	putc('\n', stream);
}

void report_csv_write(const struct report *report, FILE *stream)
{
	const struct rows *rows = report->rows;
	uint64_t millis = 0;

	write_line(&report->options->by, NULL, stream);
	for (size_t i = 0; i < rows->count; i++) {
		struct line line = {.rows = rows, .row = &rows->row[i]};

		millis += rows->row[i].millis;
		line.cumulative_percent = 100.0 * (double)millis / (double)rows->millis;
		write_line(&report->options->by, &line, stream);
	}
}
