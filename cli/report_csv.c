/* SPDX-License-Identifier: MIT */
/*
 * The format csv: RFC 4180 with "\n" line ends. Text is quoted when it holds a comma, a quote or a
 * line end; bytes that are no UTF-8 are written as \xNN.
 */

#include "cli/report_csv.h"

#include <string.h>

#include "cli/columns.h"
#include "cli/report.h"
#include "cli/utf8.h"

static void write_text(const char *text, FILE *stream)
{
	bool quoted = text[strcspn(text, ",\"\r\n")];

	if (quoted)
		putc('"', stream);
	for (;;) {
		size_t length = utf8_span(text, '"');

		fwrite(text, 1, length, stream);
		text += length;
		if (!*text)
			break;
		if (*text == '"')
			fputs("\"\"", stream);
		else
			fprintf(stream, "\\x%02X", (unsigned char)*text);
		text++;
	}
	if (quoted)
		putc('"', stream);
}

static void write_header(const struct keys *keys, FILE *stream)
{
	const struct column_format *column;

	for (size_t i = 0; (column = column_at(keys, i)); i++)
		fprintf(stream, "%s%s", i ? "," : "", column->name);
	putc('\n', stream);
}

static void write_line(const struct keys *keys, const struct column_line *line, FILE *stream)
{
	const struct column_format *column;

	for (size_t i = 0; (column = column_at(keys, i)); i++) {
		if (i)
			putc(',', stream);
		if (column->text)
			write_text(column->text(line->row), stream);
		else
			column->number(line, stream);
	}
	putc('\n', stream);
}

int report_csv_write(const struct report *report, FILE *stream)
{
	const struct rows *rows = report->rows;
	struct column_line line = {.rows = rows};

	write_header(&report->options->by, stream);
	for (size_t i = 0; i < rows->count; i++) {
		line.row = &rows->row[i];
		line.sum_millis += line.row->millis;
		write_line(&report->options->by, &line, stream);
	}
	return 0;
}
