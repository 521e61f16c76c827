/* SPDX-License-Identifier: MIT */
/*
 * The format html: one page that needs nothing else, works offline, and is a plain table where
 * there are no scripts. All that comes from the program is escaped; the page loads nothing.
 */

#include "cli/report/report_html.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/choice.h"
#include "cli/report/columns.h"
#include "cli/report/html_source.h"
#include "cli/report/html_text.h"
#include "cli/report/html_tree.h"
#include "cli/report/margin.h"
#include "cli/report/report.h"
#include "cli/report/rows.h"
#include "cli/report/shorten.h"
#include "cli/report/stacks.h"
#include "cli/report/summary.h"
#include "cli/report_html_assets.h"
#include "symbolize/util.h"

#define HOT_PERCENT 10.0
#define NAME_LONG   80 /* bytes from which a name is shortened */

static bool tells(const struct report *report, enum column column)
{
	return keys_tell(&report->options->by, column);
}

static void put_command(const struct profile *profile, FILE *stream)
{
	for (size_t i = 0; profile->command && profile->command[i]; i++) {
		fputs(i ? " " : "", stream);
		html_text_write(profile->command[i], stream);
	}
	if (!profile->command || !profile->command[0])
		fputs("profile", stream);
}

static void put_notes(const struct profile *profile, FILE *stream)
{
	char line[512];
	int told;

	fputs("<ul class=notes>\n", stream);
	for (size_t i = 0; (told = summary_note(profile, i, line, sizeof(line))) >= 0; i++) {
		if (!told)
			continue;
		fputs("<li>", stream);
		html_text_write(line, stream);
		putc('\n', stream);
	}
	for (size_t i = 0; i < profile->note_count; i++) {
		fputs("<li>", stream);
		html_text_write(profile->notes[i], stream);
		putc('\n', stream);
	}
	if (!profile->ticks) {
		summary_no_ticks(profile, line, sizeof(line));
		fputs("<li>", stream);
		html_text_write(line, stream);
	}
	fputs("</ul>\n", stream);
}

static void put_head(const struct report *report, FILE *stream)
{
	const struct profile *profile = report->profile;

	fputs("<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n"
	      "<meta name=viewport content=\"width=device-width\">\n"
	      "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>",
	      stream);
	put_command(profile, stream);
	fprintf(stream, " - profrun</title>\n<style>\n%s</style>\n<h1>", html_style);
	put_command(profile, stream);
	fputs("</h1>\n<ul class=facts>\n", stream);
	if (!profile->foreign)
		fprintf(stream, "<li><b>%.2f s</b><span>CPU time (user %.2f, system %.2f)</span>\n",
			profile_cpu_seconds(profile), profile->user_seconds,
			profile->system_seconds);
	fprintf(stream, "<li><b>%.2f s</b><span>elapsed</span>\n", profile->elapsed_seconds);
	fprintf(stream, "<li><b>%" PRIu64 "</b><span>ticks of %g ms</span>\n", profile->ticks,
		profile->period_seconds * 1e3);
	if (!profile->foreign)
		fprintf(stream, "<li><b>%.1f %%</b><span>of the CPU time covered</span>\n",
			100 * profile_coverage(profile));
	fprintf(stream, "<li><b>%zu</b><span>process%s</span>\n", profile->process_count,
		profile->process_count == 1 ? "" : "es");
	fputs("</ul>\n", stream);
	put_notes(profile, stream);
}

static int put_icicle(const struct report *report, FILE *stream)
{
	struct stacks stacks;
	int code = stacks_build(report->profile, report->options, true, &stacks);

	if (code < 0 || !stacks.millis) {
		stacks_done(&stacks);
		return code;
	}
	fputs("<section class=icicles hidden>\n<h2>Where the time is</h2>\n"
	      "<div class=crumbs aria-live=polite></div>\n<div class=icicle></div>\n"
	      "<p class=hint>From the top: object, file, function, what was inlined, line. A click "
	      "zooms in, a click on the wide one zooms out, Esc shows everything.</p>\n</section>\n"
	      "<script type=\"application/json\" id=tree>",
	      stream);
	code = html_tree_write(&stacks, stream);
	fputs("</script>\n", stream);
	stacks_done(&stacks);
	return code;
}

struct html_column {
	const char *title; /* what csv and json call it, too */
	enum column column;
};

/* Those that the keys may tell, beside the name. */
static const struct html_column columns[] = {
	{"process", COLUMN_PROCESS},
	{"thread", COLUMN_THREAD},
	{"run", COLUMN_RUN},
	{"object", COLUMN_OBJECT},
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(columns[0]))

static const char *text_of(const struct html_column *column, const struct row *row)
{
	return column_of((size_t)choice_find(column_name, column->title))->text(row);
}

/* Which has a full bar: that of the largest row, which is no sum of others. */
static uint64_t largest(const struct rows *rows)
{
	uint64_t most = 1;

	for (size_t i = 0; i + rows->has_other < rows->count; i++)
		most = rows->row[i].millis > most ? rows->row[i].millis : most;
	return most;
}

/* A full bar is @full. */
static void put_numbers(const struct report *report, const struct row *row, uint64_t full,
			FILE *stream)
{
	const struct rows *rows = report->rows;
	double percent = row_percent(rows, row);
	bool hot = percent >= HOT_PERCENT && *row->function != '[';

	fprintf(stream, "<tr><td class=\"n%s\" data-v=%.4f>%s%.1f %%<td class=\"n f\">&#177;%.1f",
		hot ? " hot" : "", percent, row->estimated ? "~" : "", percent,
		row_margin(rows, row));
	fprintf(stream, "<td class=bar><i style=\"width:%.1f%%\"></i><td class=n>%.*f",
		100 * (double)row->millis / (double)full, margin_decimals(rows->period_seconds),
		row_seconds(rows, row));
	if (rows->kernel_known) {
		fputs("<td class=\"n f\">", stream);
		if (row->kernel_millis)
			fprintf(stream, "%.0f %%", row_kernel_percent(row));
	}
}

static void put_place(const struct report *report, const struct row *row, FILE *stream)
{
	if (tells(report, COLUMN_ADDRESS)) {
		fputs("<td class=name>", stream);
		if (*row->object)
			fprintf(stream, "0x%" PRIx64, row->address);
	}
	if (!tells(report, COLUMN_FILE))
		return;
	fputs("<td class=f title=\"", stream);
	html_text_write(row->file, stream);
	fputs("\">", stream);
	html_text_write(basename(row->file), stream);
	if (row->line)
		fprintf(stream, ":%u", row->line);
}

/* A long name is shown short; the whole is its title, and is searched. */
static void put_name(const char *name, size_t source, FILE *stream)
{
	AUTO_FREE char *shown = strlen(name) > NAME_LONG ? strdup(name) : NULL;

	fputs("<td class=name", stream);
	if (shown) {
		shorten_name(shown, "…");
		fputs(" title=\"", stream);
		html_text_write(name, stream);
		putc('"', stream);
	}
	putc('>', stream);
	if (source)
		fprintf(stream, "<a href=\"#s%zu\">", source);
	html_text_write(shown ? shown : name, stream);
	fputs(source ? "</a>\n" : "\n", stream);
}

static void put_row(const struct report *report, const struct row *row, uint64_t full,
		    const struct html_sources *sources, FILE *stream)
{
	size_t source = html_sources_find(sources, row);

	put_numbers(report, row, full, stream);
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		if (!tells(report, columns[i].column))
			continue;
		fputs("<td class=f>", stream);
		html_text_write(text_of(&columns[i], row), stream);
	}
	put_place(report, row, stream);
	put_name(*row->function ? row->function : row->object, source, stream);
}

static void put_table(const struct report *report, const struct html_sources *sources, FILE *stream)
{
	const struct rows *rows = report->rows;
	const uint64_t full = largest(rows);

	fputs("<h2>Rows</h2>\n<div class=tools hidden><input type=search placeholder=\"Search "
	      "( / )\" aria-label=\"Search rows\"><span class=\"hint found\" "
	      "aria-live=polite></span></div>\n<div class=wide><table class=rows>\n<thead><tr>"
	      "<th class=n scope=col aria-sort=descending>share<th class=\"n f\" "
	      "scope=col>&#177;95%<th class=bar><th class=n scope=col>CPU s",
	      stream);
	if (rows->kernel_known)
		fputs("<th class=\"n f\" scope=col>kernel", stream);
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		if (tells(report, columns[i].column))
			fprintf(stream, "<th class=f scope=col>%s", columns[i].title);
	}
	if (tells(report, COLUMN_ADDRESS))
		fputs("<th scope=col>address", stream);
	if (tells(report, COLUMN_FILE))
		fputs("<th class=f scope=col>source", stream);
	fprintf(stream, "<th scope=col>%s\n<tbody>\n",
		tells(report, COLUMN_FUNCTION) ? "function" : "name");
	for (size_t i = 0; i < rows->count; i++)
		put_row(report, &rows->row[i], full, sources, stream);
	fputs("</table></div>\n", stream);
}

int report_html_write(const struct report *report, FILE *stream)
{
	struct html_sources sources = {.count = 0};
	int code = html_sources_build(report, &sources);

	put_head(report, stream);
	if (code == 0)
		code = put_icicle(report, stream);
	put_table(report, &sources, stream);
	html_sources_write(&sources, stream);
	fprintf(stream,
		"<footer>profrun " PROFRUN_VERSION
		"; shares are of all ticks of the run, with half their 95 %% interval</footer>\n"
		"<script>\n%s</script>\n",
		html_script);
	html_sources_done(&sources);
	return code;
}
