/* SPDX-License-Identifier: MIT */
/* The table of an HTML report. */

#include "cli/report/html_table.h"

#include <inttypes.h>
#include <string.h>

#include "cli/choice.h"
#include "cli/report/columns.h"
#include "cli/report/html_text.h"
#include "cli/report/margin.h"
#include "cli/report/rows.h"
#include "symbolize/util.h"

#define HOT_PERCENT 10.0

struct cell {
	const struct report *report;
	const struct html_sources *sources;
	const struct row *row;
	uint64_t full; /* thousandths of ticks that make a full bar */
};

/* When a column is there. */
enum presence {
	ALWAYS,
	WITH_KERNEL, /* where the kernel's part is known */
	WITH_KEY,    /* where the keys tell .key */
};

struct html_column {
	const char *title;
	const char *classes; /* of its head: n a number that falls when sorted, f fainter */
	const char *shows;   /* the column of csv and json that it shows; NULL: none */
	enum presence presence;
	enum column key;
	void (*put)(const struct cell *cell, FILE *stream); /* NULL: the text of .shows */
};

static bool tells(const struct report *report, enum column column)
{
	return keys_tell(&report->options->by, column);
}

static bool is_wanted(const struct html_column *column, const struct report *report)
{
	if (column->presence == WITH_KERNEL)
		return report->rows->kernel_known;
	return column->presence == ALWAYS || tells(report, column->key);
}

static void put_share(const struct cell *cell, FILE *stream)
{
	const struct row *row = cell->row;
	double percent = row_percent(cell->report->rows, row);
	bool hot = percent >= HOT_PERCENT && *row->function != '[';

	fprintf(stream, "<td class=\"n%s\" data-v=%.4f>%s%.1f %%", hot ? " hot" : "", percent,
		row->estimated ? "~" : "", percent);
}

static void put_margin(const struct cell *cell, FILE *stream)
{
	fprintf(stream, "<td class=\"n f\">&#177;%.1f", row_margin(cell->report->rows, cell->row));
}

static bool is_other(const struct rows *rows, const struct row *row)
{
	return rows->has_other && row == &rows->row[rows->count - 1];
}

/* A sum of other rows has none, as it has no place among them. */
static void put_bar(const struct cell *cell, FILE *stream)
{
	fputs("<td class=bar>", stream);
	if (!is_other(cell->report->rows, cell->row))
		fprintf(stream, "<i style=\"width:%.1f%%\"></i>",
			100 * (double)cell->row->millis / (double)cell->full);
}

static void put_seconds(const struct cell *cell, FILE *stream)
{
	const struct rows *rows = cell->report->rows;

	fprintf(stream, "<td class=n>%.*f", margin_decimals(rows->period_seconds),
		row_seconds(rows, cell->row));
}

static void put_kernel(const struct cell *cell, FILE *stream)
{
	fputs("<td class=\"n f\">", stream);
	if (cell->row->kernel_millis)
		fprintf(stream, "%.0f %%", row_kernel_percent(cell->row));
}

static void put_address(const struct cell *cell, FILE *stream)
{
	fputs("<td class=name>", stream);
	if (*cell->row->object)
		fprintf(stream, "0x%" PRIx64, cell->row->address);
}

static void put_source(const struct cell *cell, FILE *stream)
{
	const struct row *row = cell->row;

	fputs("<td class=f", stream);
	html_title_write(row->file, stream);
	putc('>', stream);
	html_text_write(basename(row->file), stream);
	if (row->line)
		fprintf(stream, ":%u", row->line);
}

/* A long name is shown short; the whole is its title, and is searched. */
static void put_name(const struct cell *cell, FILE *stream)
{
	const struct rows *rows = cell->report->rows;
	const char *name = *cell->row->function ? cell->row->function : cell->row->object;
	size_t source = html_sources_find(cell->sources, cell->row);
	AUTO_FREE char *shown = html_text_short(name);

	fprintf(stream, "<td class=\"name%s\"", *name == '[' ? " f" : "");
	if (shown)
		html_title_write(name, stream);
	putc('>', stream);
	if (source)
		fprintf(stream, "<a href=\"#s%zu\">", source);
	html_text_write(shown ? shown : name, stream);
	fputs(source ? "</a>" : "", stream);
	if (rows->hidden && is_other(rows, cell->row))
		fprintf(stream, " (%zu more)", rows->hidden);
	putc('\n', stream);
}

static const struct html_column columns[] = {
	{"share", "n", "percent", ALWAYS, 0, put_share},
	{"&#177;95%", "n f", "margin", ALWAYS, 0, put_margin},
	{"", "bar", NULL, ALWAYS, 0, put_bar},
	{"CPU s", "n", "seconds", ALWAYS, 0, put_seconds},
	{"kernel", "n f", "kernel_percent", WITH_KERNEL, 0, put_kernel},
	{"process", "f", "process", WITH_KEY, COLUMN_PROCESS, NULL},
	{"thread", "f", "thread", WITH_KEY, COLUMN_THREAD, NULL},
	{"run", "f", "run", WITH_KEY, COLUMN_RUN, NULL},
	{"object", "f", "object", WITH_KEY, COLUMN_OBJECT, NULL},
	{"address", "", "address", WITH_KEY, COLUMN_ADDRESS, put_address},
	{"source", "f", "line", WITH_KEY, COLUMN_FILE, put_source},
	{"function", "", "function", ALWAYS, 0, put_name},
};

static void put_cell(const struct html_column *column, const struct cell *cell, FILE *stream)
{
	if (column->put) {
		column->put(cell, stream);
		return;
	}
	fputs("<td class=f>", stream);
	html_text_write(column_of((size_t)choice_find(column_name, column->shows))->text(cell->row),
			stream);
}

/* As what the rows are ordered: "ascending", "descending", or NULL. */
static const char *order_of(const struct html_column *column, const struct options *options)
{
	bool sorted = options->sort && options->sort->compare;
	const char *by = sorted ? options->sort->name : "percent";
	bool falls = *column->classes == 'n';

	if (!column->shows || strcmp(column->shows, by) != 0)
		return NULL;
	return falls != options->sort_reversed ? "descending" : "ascending";
}

static void put_heads(const struct report *report, FILE *stream)
{
	const bool functions = tells(report, COLUMN_FUNCTION);

	fputs("<thead><tr>", stream);
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		const struct html_column *column = &columns[i];
		const char *order = order_of(column, report->options);
		bool is_name = column->put == put_name;

		if (!is_wanted(column, report))
			continue;
		fprintf(stream, "<th scope=col class=\"%s\"", column->classes);
		if (order)
			fprintf(stream, " aria-sort=%s", order);
		fprintf(stream, ">%s", is_name && !functions ? "name" : column->title);
	}
	fputs("\n<tbody>\n", stream);
}

/* Which has a full bar: that of the largest row, which is no sum of others. */
static uint64_t largest(const struct rows *rows)
{
	uint64_t most = 1;

	for (size_t i = 0; i + rows->has_other < rows->count; i++)
		most = rows->row[i].millis > most ? rows->row[i].millis : most;
	return most;
}

/* "By process, function", and whose rows those of inlined code are. */
static void put_title(const struct report *report, FILE *stream)
{
	const struct profile *profile = report->profile;
	const struct keys *by = &report->options->by;
	bool inlined = false;

	fputs("<h2>By ", stream);
	for (size_t i = 0; i < by->count; i++)
		fprintf(stream, "%s%s", i ? ", " : "", by->key[i]->name);
	fputs("</h2>\n", stream);
	for (size_t i = 0; i < profile->place_count && !inlined; i++)
		inlined = profile->places[i].frame_count > 1;
	if (inlined && report->options->inlines && tells(report, COLUMN_FUNCTION))
		fputs("<p class=hint>Code that was inlined has rows of its own; --no-inlines gives "
		      "its time to the functions that it was inlined into.</p>\n",
		      stream);
}

void html_table_write(const struct report *report, const struct html_sources *sources, FILE *stream)
{
	const struct rows *rows = report->rows;
	struct cell cell = {.report = report, .sources = sources, .full = largest(rows)};

	put_title(report, stream);
	fputs("<div class=tools hidden><input type=search placeholder=\"Search "
	      "( / )\" aria-label=\"Search rows\"><span class=\"hint found\" "
	      "aria-live=polite></span></div>\n<div class=wide><table class=rows>\n",
	      stream);
	put_heads(report, stream);
	for (size_t i = 0; i < rows->count; i++) {
		cell.row = &rows->row[i];
		fputs(is_other(rows, cell.row) ? "<tr class=other>" : "<tr>", stream);
		for (size_t j = 0; j < ARRAY_SIZE(columns); j++) {
			if (is_wanted(&columns[j], report))
				put_cell(&columns[j], &cell, stream);
		}
	}
	fputs("</table></div>\n", stream);
}
