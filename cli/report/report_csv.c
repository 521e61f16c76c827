/* SPDX-License-Identifier: MIT */
/* The format csv: RFC 4180 with "\n" line ends. */

#include "cli/report/report_csv.h"

#include "cli/report/columns.h"
#include "cli/report/csv_text.h"
#include "cli/report/report.h"

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
			csv_text_write(column->text(line->row), stream);
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
