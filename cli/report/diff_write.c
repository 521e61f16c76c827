/* SPDX-License-Identifier: MIT */
/* A diff for programs to read: csv and json have the same columns. */

#include "cli/report/diff.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <string.h>

#include "cli/report/columns.h"
#include "cli/report/csv_text.h"
#include "cli/report/json_text.h"
#include "cli/report/shares.h"
#include "symbolize/util.h"

#define SCHEMA 1

struct measure {
	const char *name;
	double (*of)(const struct diff_row *row);
	bool flag;
};

static double old_ticks(const struct diff_row *row)
{
	return (double)row->millis[DIFF_OLD] / MILLIS;
}

static double new_ticks(const struct diff_row *row)
{
	return (double)row->millis[DIFF_NEW] / MILLIS;
}

static double old_seconds(const struct diff_row *row)
{
	return row->seconds[DIFF_OLD];
}

static double new_seconds(const struct diff_row *row)
{
	return row->seconds[DIFF_NEW];
}

static double change_seconds(const struct diff_row *row)
{
	return row->seconds[DIFF_NEW] - row->seconds[DIFF_OLD];
}

static double seconds_margin(const struct diff_row *row)
{
	return row->seconds_margin;
}

static double old_percent(const struct diff_row *row)
{
	return row->percent[DIFF_OLD];
}

static double new_percent(const struct diff_row *row)
{
	return row->percent[DIFF_NEW];
}

static double change_percent(const struct diff_row *row)
{
	return row->percent[DIFF_NEW] - row->percent[DIFF_OLD];
}

static double percent_margin(const struct diff_row *row)
{
	return row->percent_margin;
}

static double chance(const struct diff_row *row)
{
	return row->chance;
}

static double changed(const struct diff_row *row)
{
	return row->changed;
}

/* Behind the columns that tell what a row is. */
static const struct measure measures[] = {
	{"old_ticks", old_ticks, false},
	{"new_ticks", new_ticks, false},
	{"old_seconds", old_seconds, false},
	{"new_seconds", new_seconds, false},
	{"change_seconds", change_seconds, false},
	{"seconds_margin", seconds_margin, false},
	{"old_percent", old_percent, false},
	{"new_percent", new_percent, false},
	{"change_percent", change_percent, false},
	{"percent_margin", percent_margin, false},
	{"chance", chance, false},
	{"changed", changed, true},
};

/* The column at @index of those that tell what a row is, which end where its ticks are told. */
static const struct column_format *identity_at(const struct keys *keys, size_t index)
{
	const struct column_format *column = column_at(keys, index);

	return strcmp(column->name, "ticks") == 0 ? NULL : column;
}

static void write_csv_row(const struct diff_row *row, const struct keys *keys, FILE *stream)
{
	const struct column_line line = {.row = &row->row};
	const struct column_format *column;

	for (size_t i = 0; (column = identity_at(keys, i)); i++) {
		if (column->text)
			csv_text_write(column->text(&row->row), stream);
		else
			column->number(&line, stream);
		putc(',', stream);
	}
	for (size_t i = 0; i < ARRAY_SIZE(measures); i++)
		fprintf(stream, "%s%.*f", i ? "," : "", measures[i].flag ? 0 : 3,
			measures[i].of(row));
	putc('\n', stream);
}

int diff_write_csv(const struct diff *diff, const struct options *options,
		   const struct terminal *terminal, FILE *stream)
{
	const struct column_format *column;

	(void)terminal;
	for (size_t i = 0; (column = identity_at(&options->by, i)); i++)
		fprintf(stream, "%s,", column->name);
	for (size_t i = 0; i < ARRAY_SIZE(measures); i++)
		fprintf(stream, "%s%s", i ? "," : "", measures[i].name);
	putc('\n', stream);
	for (size_t i = 0; i < diff->count; i++)
		write_csv_row(&diff->row[i], &options->by, stream);
	return 0;
}

static void write_json_row(const struct diff_row *row, const struct keys *keys, FILE *stream)
{
	const struct column_line line = {.row = &row->row};
	const struct column_format *column;

	putc('{', stream);
	for (size_t i = 0; (column = identity_at(keys, i)); i++) {
		fprintf(stream, "\"%s\": ", column->name);
		if (column->text)
			json_text_write(column->text(&row->row), stream);
		else if (!column->number(&line, stream))
			fputs("null", stream);
		fputs(", ", stream);
	}
	for (size_t i = 0; i < ARRAY_SIZE(measures); i++) {
		double value = measures[i].of(row);

		fprintf(stream, "%s\"%s\": ", i ? ", " : "", measures[i].name);
		if (measures[i].flag)
			fputs(value > 0 ? "true" : "false", stream);
		else
			fprintf(stream, "%.3f", value);
	}
	putc('}', stream);
}

static void write_json_side(const struct diff *diff, enum diff_side side, const char *name,
			    FILE *stream)
{
	const struct profile *profile = diff->profile[side];

	fprintf(stream, "\"%s\": {\"command\": [", name);
	for (size_t i = 0; profile->command && profile->command[i]; i++) {
		fputs(i ? ", " : "", stream);
		json_text_write(profile->command[i], stream);
	}
	fprintf(stream,
		"], \"cpu_seconds\": %.6f, \"ticks\": %" PRIu64 ", \"period_seconds\": %.9f},\n",
		diff_cpu_seconds(diff, side), profile->ticks, diff->period[side]);
}

int diff_write_json(const struct diff *diff, const struct options *options,
		    const struct terminal *terminal, FILE *stream)
{
	(void)terminal;
	fprintf(stream, "{\"schema\": %d,\n", SCHEMA);
	write_json_side(diff, DIFF_OLD, "old", stream);
	write_json_side(diff, DIFF_NEW, "new", stream);
	fprintf(stream, "\"comparisons\": %zu,\n\"rows\": [", diff->comparisons);
	for (size_t i = 0; i < diff->count; i++) {
		fputs(i ? ",\n" : "\n", stream);
		write_json_row(&diff->row[i], &options->by, stream);
	}
	fputs("]}\n", stream);
	return 0;
}
