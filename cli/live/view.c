/* SPDX-License-Identifier: MIT */
/* What a view shows: the table of a report, between what the run has used and what keys there are.
 */

#include "cli/live/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/live/recent.h"
#include "cli/live/view_keys.h"
#include "cli/report/report.h"
#include "cli/report/report_text.h"
#include "cli/report/rows.h"
#include "symbolize/util.h"

#define TITLE_LINES	 3  /* above the table */
#define LINE_NAMES	 6  /* functions in a view of one line */
#define NAME_MAX_COLUMNS 32 /* of each */

struct view *view_new(const struct options *options)
{
	struct view *view = calloc(1, sizeof(*view));

	if (!view)
		return NULL;
	view->options = *options;
	view->options.format = report_format_at(0);
	view->given = options->by;
	view_keys_init(view);
	return view;
}

void view_free(struct view *view)
{
	if (!view)
		return;
	profile_free(view->profile);
	free(view);
}

void view_set_profile(struct view *view, struct profile *profile)
{
	const struct profile *last = view->profile;
	double seconds = profile->elapsed_seconds - (last ? last->elapsed_seconds : 0);
	double used = profile_cpu_seconds(profile) - (last ? profile_cpu_seconds(last) : 0);

	/* The same again, with more names, tells nothing of what has happened since. */
	if (seconds > 0)
		view->busy = used > 0 ? used / seconds : 0;
	profile_free(view->profile);
	view->profile = profile;
}

unsigned view_name_flags(const struct view *view)
{
	const struct options *options = &view->options;
	bool lines = options->by.tells & (1U << COLUMN_FILE);

	return (options->demangle ? 0 : (unsigned)SYM_NO_DEMANGLE) |
	       (options->clones ? (unsigned)SYM_CLONES : 0) |
	       (lines ? (unsigned)(SYM_LINES | SYM_INLINES) : 0);
}

bool view_is_paused(const struct view *view)
{
	return view->paused;
}

bool view_is_recent(const struct view *view)
{
	return view->recent;
}

/* The words of the command; freed by the caller. */
static char *join_command(const struct view *view)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return NULL;
	for (size_t i = 0; view->options.argv[i]; i++)
		fprintf(stream, "%s%s", i ? " " : "", view->options.argv[i]);
	fclose(stream);
	return text;
}

/* "last 10 s, paused at 12.3 s" */
static void write_state(const struct view *view, char *text, size_t size)
{
	double elapsed = view->profile->elapsed_seconds;
	char recent[32] = "";

	if (view->recent && elapsed > RECENT_SECONDS)
		snprintf(recent, sizeof(recent), "last %d s, ", RECENT_SECONDS);
	snprintf(text, size, "%s%s%.1f s", recent, view->paused ? "paused at " : "", elapsed);
}

/* The command on the left, the time and what state the view is in on the right. */
static void write_title(const struct view *view, const struct terminal *terminal, FILE *stream)
{
	AUTO_FREE char *command = join_command(view), *shown = NULL;
	char right[64];
	size_t taken, room;

	write_state(view, right, sizeof(right));
	room = terminal->width > strlen(right) + 2 ? terminal->width - strlen(right) - 2 : 1;
	shown = command ? terminal_cut(terminal, command, room) : NULL;
	taken = shown ? terminal_columns(terminal, shown) : 0;
	fprintf(stream, "%s%s%s%*s%s\n", terminal_style(terminal, STYLE_HEAD), shown ? shown : "",
		terminal_style(terminal, STYLE_PLAIN),
		(int)(room + 2 - (taken < room ? taken : room)), "", right);
}

static void write_times(const struct view *view, const struct terminal *terminal, FILE *stream)
{
	const struct profile *profile = view->profile;

	fprintf(stream, "%sCPU %.2f s (user %.2f, system %.2f)",
		terminal_style(terminal, STYLE_FAINT), profile_cpu_seconds(profile),
		profile->user_seconds, profile->system_seconds);
	fprintf(stream, ", now %.0f %% of a CPU", 100 * view->busy);
	fprintf(stream, ", %llu ticks of %g ms (%s)%s\n", (unsigned long long)profile->ticks,
		profile->period_seconds * 1e3, profile->tick_source,
		terminal_style(terminal, STYLE_PLAIN));
}

/* The table as a report has it, with @top rows, in a text that the caller frees. */
static char *write_table(const struct view *view, const struct terminal *terminal, uint32_t top)
{
	struct options options = view->options;
	struct report report = {
		.profile = view->profile,
		.options = &options,
		.terminal = terminal,
	};
	struct rows rows;
	char *text = NULL;
	FILE *stream;
	struct error err;
	size_t size;
	int code;

	options.top = top;
	code = rows_build(view->profile, &options, &rows, &err);
	report.rows = &rows;
	stream = code == 0 ? open_memstream(&text, &size) : NULL;
	if (stream) {
		code = report_text_write(&report, stream);
		fclose(stream);
	}
	rows_done(&rows);
	if (code == 0)
		return text;
	free(text);
	return NULL;
}

/* Behind @count lines of @text, or its last one. */
static const char *skip_lines(const char *text, size_t count)
{
	for (; count > 0; count--) {
		const char *end = strchr(text, '\n');

		if (!end || !end[1])
			break;
		text = end + 1;
	}
	return text;
}

/* At most @lines of @text. Returns how many these are. */
static size_t copy_lines(const char *text, size_t lines, FILE *stream)
{
	size_t count = 0;

	while (*text && count < lines) {
		size_t length = strcspn(text, "\n");

		fprintf(stream, "%.*s\n", (int)length, text);
		text += length + (text[length] == '\n');
		count++;
	}
	return count;
}

/* Fills @lines lines with the header and what is scrolled to. False: no memory. */
static bool write_body(const struct view *view, const struct terminal *terminal, size_t lines,
		       FILE *stream)
{
	size_t top = view->scroll + (lines > 3 ? lines - 2 : 1);
	AUTO_FREE char *table = write_table(view, terminal, (uint32_t)top);
	const char *rows;
	size_t count;

	if (!table)
		return false;
	rows = skip_lines(table, 1);
	count = copy_lines(table, lines > 0, stream);
	count += copy_lines(skip_lines(rows, view->scroll), lines - count, stream);
	for (; count < lines; count++)
		putc('\n', stream);
	return true;
}

char *view_write(struct view *view, const struct terminal *terminal, size_t lines, bool has_keys)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	size_t others = TITLE_LINES + 1;
	bool complete;

	if (!stream)
		return NULL;
	write_title(view, terminal, stream);
	write_times(view, terminal, stream);
	view_keys_write_message(view, terminal, stream);
	putc('\n', stream);
	complete = write_body(view, terminal, lines > others ? lines - others : 0, stream);
	view_keys_write(view, terminal, has_keys, stream);
	fclose(stream);
	if (complete)
		return text;
	free(text);
	return NULL;
}

/* "41.2% Perl_hv_common", as many as there is room for. */
static void add_functions(const struct view *view, const struct terminal *terminal, char *line,
			  size_t size)
{
	struct options options = view->options;
	struct rows rows;
	struct error err;

	options.top = LINE_NAMES;
	if (rows_build(view->profile, &options, &rows, &err) < 0)
		rows.count = rows.has_other = 0;
	for (size_t i = 0; i + rows.has_other < rows.count; i++) {
		const struct row *row = &rows.row[i];
		const char *name = *row->function ? row->function : row->object;
		AUTO_FREE char *shown = terminal_text(terminal, name, NAME_MAX_COLUMNS);
		size_t length = strlen(line);

		snprintf(line + length, size - length, "  %.1f%% %s", row_percent(&rows, row),
			 shown ? shown : "?");
		if (terminal_columns(terminal, line) <= terminal->width)
			continue;
		line[length] = '\0';
		break;
	}
	rows_done(&rows);
}

char *view_write_line(const struct view *view, const struct terminal *terminal)
{
	char line[1024];
	AUTO_FREE char *shown = NULL;
	char *text;

	snprintf(line, sizeof(line), " profrun: %.1f s  CPU %.0f%% ",
		 view->profile->elapsed_seconds, 100 * view->busy);
	add_functions(view, terminal, line, sizeof(line));
	shown = terminal_cut(terminal, line, terminal->width);
	if (!shown || asprintf(&text, "\033[7m%s\033[27m", shown) < 0)
		return NULL;
	return text;
}
