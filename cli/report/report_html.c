/* SPDX-License-Identifier: MIT */
/*
 * The format html: one page that needs nothing else, works offline, and is a plain table where
 * there are no scripts. All that comes from the program is escaped; the page loads nothing.
 */

#include "cli/report/report_html.h"

#include <inttypes.h>
#include <time.h>

#include "cli/report/html_source.h"
#include "cli/report/html_table.h"
#include "cli/report/html_text.h"
#include "cli/report/html_tree.h"
#include "cli/report/report.h"
#include "cli/report/stacks.h"
#include "cli/report/summary.h"
#include "cli/report_html_assets.h"
#include "symbolize/util.h"

static void put_note(const char *note, FILE *stream)
{
	fputs("<li>", stream);
	html_text_write(note, stream);
	putc('\n', stream);
}

static void put_notes(const struct profile *profile, FILE *stream)
{
	char line[512];
	int told;

	fputs("<ul class=notes>\n", stream);
	if (summary_end(profile, line, sizeof(line)))
		put_note(line, stream);
	for (size_t i = 0; (told = summary_note(profile, i, line, sizeof(line))) >= 0; i++) {
		if (told)
			put_note(line, stream);
	}
	for (size_t i = 0; i < profile->note_count; i++)
		put_note(profile->notes[i], stream);
	if (!profile->ticks) {
		summary_no_ticks(profile, line, sizeof(line));
		put_note(line, stream);
	}
	fputs("</ul>\n", stream);
}

static void put_ticks(const struct profile *profile, FILE *stream)
{
	fprintf(stream, "<li><b>%" PRIu64 "</b><span>tick%s of %.4g ms", profile->ticks,
		profile->ticks == 1 ? "" : "s", profile->period_seconds * 1e3);
	if (profile->tick_source) {
		fputs(" (", stream);
		html_text_write(profile->tick_source, stream);
		putc(')', stream);
	}
	if (profile->lost_ticks)
		fprintf(stream, ", %" PRIu64 " lost", profile->lost_ticks);
	fputs("</span>\n", stream);
}

static void put_facts(const struct profile *profile, FILE *stream)
{
	fputs("<ul class=facts>\n", stream);
	if (!profile->foreign)
		fprintf(stream, "<li><b>%.2f s</b><span>CPU time (user %.2f, system %.2f)</span>\n",
			profile_cpu_seconds(profile), profile->user_seconds,
			profile->system_seconds);
	fprintf(stream, "<li><b>%.2f s</b><span>elapsed</span>\n", profile->elapsed_seconds);
	put_ticks(profile, stream);
	if (!profile->foreign)
		fprintf(stream, "<li><b>%.1f %%</b><span>of the CPU time covered</span>\n",
			100 * profile_coverage(profile));
	fprintf(stream, "<li><b>%zu</b><span>process%s</span>\n", profile->process_count,
		profile->process_count == 1 ? "" : "es");
	fputs("</ul>\n", stream);
}

static void put_head(const struct profile *profile, FILE *stream)
{
	AUTO_FREE char *command = summary_command(profile);
	const char *title = command && *command ? command : "profile";

	fputs("<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n"
	      "<meta name=viewport content=\"width=device-width\">\n"
	      "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>",
	      stream);
	html_text_write(title, stream);
	fprintf(stream, " - profrun</title>\n<style>\n%s</style>\n<h1>", html_style);
	html_text_write(title, stream);
	fputs("</h1>\n", stream);
	put_facts(profile, stream);
	put_notes(profile, stream);
}

static int put_icicle(const struct report *report, FILE *stream)
{
	const bool by_process = keys_tell(&report->options->by, COLUMN_PROCESS);
	const bool by_thread = keys_tell(&report->options->by, COLUMN_THREAD);
	struct stacks stacks;
	int code = stacks_build(report->profile, report->options, true, &stacks);

	if (code < 0 || !stacks.millis) {
		stacks_done(&stacks);
		return code;
	}
	fprintf(stream,
		"<section class=icicles hidden>\n<h2>Where the time is</h2>\n"
		"<div class=crumbs aria-live=polite></div>\n<div class=icicle></div>\n"
		"<p class=hint>From the top: %s%sobject, file, function, what was inlined, line. A "
		"click zooms in, a click on the wide one zooms out, Esc shows everything; arrows "
		"go from one to the next.</p>\n</section>\n",
		by_process ? "process, " : "", by_thread ? "thread, " : "");
	fprintf(stream,
		"<script type=\"application/json\" id=tree data-period=%.10g data-above=%d>",
		report->profile->period_seconds, by_process + by_thread);
	code = html_tree_write(&stacks, stream);
	fputs("</script>\n", stream);
	stacks_done(&stacks);
	return code;
}

/* Where and when it ran, for those whom the page is shown to. */
static void put_foot(const struct profile *profile, FILE *stream)
{
	time_t start = (time_t)(profile->start_nanos / 1000000000);
	struct tm when;
	char text[32];

	fputs("<footer>", stream);
	if (profile->host) {
		fputs("ran on ", stream);
		html_text_write(profile->host, stream);
		fputs("; ", stream);
	}
	if (profile->start_nanos > 0 && gmtime_r(&start, &when) &&
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &when))
		fprintf(stream, "%s; ", text);
	fputs("profrun " PROFRUN_VERSION
	      "; shares are of all ticks of the run, with half their 95 % interval</footer>\n",
	      stream);
}

int report_html_write(const struct report *report, FILE *stream)
{
	struct html_sources sources = {.count = 0};
	int code = html_sources_build(report, &sources);

	put_head(report->profile, stream);
	if (code == 0)
		code = put_icicle(report, stream);
	html_table_write(report, &sources, stream);
	html_sources_write(&sources, stream);
	put_foot(report->profile, stream);
	fprintf(stream, "<script>\n%s</script>\n", html_script);
	html_sources_done(&sources);
	return code;
}
