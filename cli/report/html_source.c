/* SPDX-License-Identifier: MIT */
/* The source of the hottest functions in an HTML report. */

#include "cli/report/html_source.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/report/html_text.h"
#include "cli/report/shares.h"
#include "cli/report/source_file.h"
#include "symbolize/util.h"

#define FUNCTIONS_MAX 20
#define LEAST_PERCENT 1.0 /* of a function that is shown */
#define LINES_MAX     200 /* of a function with ticks that are shown: the hottest */
#define CONTEXT	      5	  /* lines that are shown beside each of them */
#define WIDTH_MAX     400 /* bytes of a line: minified code has no end */

struct html_source {
	const char *function, *object, *file;
	size_t first, last; /* its lines in html_sources.lines, exclusive */
	uint64_t millis;
	uint64_t least; /* ticks that a line must have to be shown */
	size_t room;	/* for how many that have no more than these */
	struct source_file text;
};

static int compare_lines(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	int order = strcmp(a->function, b->function);

	if (order == 0)
		order = strcmp(a->object, b->object);
	if (order == 0)
		order = strcmp(a->file, b->file);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static bool same_function(const struct row *a, const struct row *b)
{
	return strcmp(a->function, b->function) == 0 && strcmp(a->object, b->object) == 0 &&
	       strcmp(a->file, b->file) == 0;
}

static int compare_sources(const void *left, const void *right)
{
	const struct html_source *a = left, *b = right;

	if (a->millis != b->millis)
		return a->millis > b->millis ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static int add_source(struct html_sources *sources, size_t first, size_t last)
{
	const struct row *row = &sources->lines.row[first];
	struct html_source source = {
		.function = row->function,
		.object = row->object,
		.file = row->file,
		.first = first,
		.last = last,
	};

	for (size_t i = first; i < last; i++)
		source.millis += sources->lines.row[i].millis;
	if (!*row->file ||
	    (double)source.millis * 100 < LEAST_PERCENT * (double)sources->lines.millis)
		return 0;
	if (!grow(&sources->source, sources->count + 1, &sources->room))
		return -ENOMEM;
	sources->source[sources->count++] = source;
	return 0;
}

static int compare_falling(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a < b) - (a > b);
}

/* Which lines are shown: a function of thousands of them must make no large page. */
static int find_least(const struct html_sources *sources, struct html_source *source)
{
	size_t count = source->last - source->first;
	AUTO_FREE uint64_t *millis = NULL;

	source->room = LINES_MAX;
	if (count <= LINES_MAX)
		return 0;
	millis = calloc(count, sizeof(*millis));
	if (!millis)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		millis[i] = sources->lines.row[source->first + i].millis;
	qsort(millis, count, sizeof(*millis), compare_falling);
	source->least = millis[LINES_MAX - 1];
	for (size_t i = 0; i < LINES_MAX && millis[i] > source->least; i++)
		source->room--;
	return 0;
}

/* Keeps the hottest of those whose file can be read. */
static int read_sources(struct html_sources *sources)
{
	size_t kept = 0;

	qsort(sources->source, sources->count, sizeof(*sources->source), compare_sources);
	for (size_t i = 0; i < sources->count; i++) {
		struct html_source source = sources->source[i];
		int code = kept < FUNCTIONS_MAX ? source_file_read(source.file, &source.text) : 0;

		if (kept < FUNCTIONS_MAX && code == 0)
			code = find_least(sources, &source);
		if (kept < FUNCTIONS_MAX && code == 0) {
			sources->source[kept++] = source;
			continue;
		}
		source_file_done(&source.text);
		if (code == -ENOMEM) {
			sources->count = kept;
			return code;
		}
	}
	sources->count = kept;
	return 0;
}

int html_sources_build(const struct report *report, struct html_sources *ret_sources)
{
	struct options options = *report->options;
	struct rows *lines = &ret_sources->lines;
	size_t first = 0;
	int code = keys_parse("line", &options.by, NULL);

	*ret_sources = (struct html_sources){.count = 0};
	options.top = 0;
	options.min_percent = 0;
	options.sort = NULL;
	if (code == 0)
		code = rows_build(report->profile, &options, lines, NULL);
	if (code < 0)
		return code;
	if (lines->count)
		qsort(lines->row, lines->count, sizeof(*lines->row), compare_lines);
	for (size_t i = 1; i <= lines->count && code == 0; i++) {
		if (i < lines->count && same_function(&lines->row[first], &lines->row[i]))
			continue;
		code = add_source(ret_sources, first, i);
		first = i;
	}
	if (code == 0 && ret_sources->count)
		code = read_sources(ret_sources);
	return code;
}

void html_sources_done(struct html_sources *sources)
{
	for (size_t i = 0; i < sources->count; i++)
		source_file_done(&sources->source[i].text);
	free(sources->source);
	rows_done(&sources->lines);
	*sources = (struct html_sources){.count = 0};
}

size_t html_sources_find(const struct html_sources *sources, const struct row *row)
{
	for (size_t i = 0; i < sources->count; i++) {
		if (strcmp(sources->source[i].function, row->function) == 0 &&
		    strcmp(sources->source[i].object, row->object) == 0)
			return i + 1;
	}
	return 0;
}

static void put_text(const char *text, FILE *stream)
{
	char shown[WIDTH_MAX + 1];
	size_t length = WIDTH_MAX;

	if (strlen(text) <= WIDTH_MAX) {
		html_text_write(text, stream);
		return;
	}
	while (length && ((unsigned char)text[length] & 0xc0) == 0x80) /* not in a character */
		length--;
	memcpy(shown, text, length);
	shown[length] = '\0';
	html_text_write(shown, stream);
	fputs("…", stream);
}

static void put_line(const struct html_sources *sources, const struct html_source *source,
		     unsigned line, uint64_t millis, FILE *stream)
{
	const char *text = source_file_line(&source->text, line);
	double all = sources->lines.millis ? (double)sources->lines.millis : 1;

	if (millis)
		fprintf(stream, "<tr style=\"--h:%.0f\"><td class=n>%.1f %%",
			8 + 34 * (double)millis / (double)(source->millis ? source->millis : 1),
			100 * (double)millis / all);
	else
		fputs("<tr><td class=n>", stream);
	fprintf(stream, "<td class=n>%u<td>", line);
	put_text(text ? text : "", stream);
	putc('\n', stream);
}

/* The ticks of a line of the source; *at goes through its rows as lines rise. */
static uint64_t millis_at(const struct html_sources *sources, const struct html_source *source,
			  unsigned line, size_t *at)
{
	while (*at < source->last && sources->lines.row[*at].line < line)
		(*at)++;
	if (*at == source->last || sources->lines.row[*at].line != line)
		return 0;
	return sources->lines.row[*at].millis;
}

/* Whether the line is one of the hottest; *room is for those that have just as few ticks. */
static bool is_hot(const struct html_source *source, const struct row *row, size_t *room)
{
	if (row->millis != source->least)
		return row->millis > source->least;
	return *room && (*room)--;
}

/* The hottest lines and those around them; a gap stands for what is left out. */
static void put_lines(const struct html_sources *sources, const struct html_source *source,
		      FILE *stream)
{
	unsigned shown = 0; /* up to which line */
	size_t at = source->first, room = source->room;

	for (size_t i = source->first; i < source->last; i++) {
		const struct row *row = &sources->lines.row[i];
		unsigned from = row->line > CONTEXT ? row->line - CONTEXT : 1;
		unsigned to = row->line + CONTEXT;

		if (!row->line || !is_hot(source, row, &room))
			continue;
		if (from > shown + 1 && shown)
			fputs("<tr><td class=n><td class=n>&#8942;<td>\n", stream);
		from = from > shown + 1 ? from : shown + 1;
		to = to < source->text.count ? to : (unsigned)source->text.count;
		for (unsigned line = from; line <= to; line++)
			put_line(sources, source, line, millis_at(sources, source, line, &at),
				 stream);
		shown = to > shown ? to : shown;
	}
}

static void put_summary(const struct html_sources *sources, const struct html_source *source,
			FILE *stream)
{
	AUTO_FREE char *shown = html_text_short(source->function);

	fprintf(stream, "<summary><b>%.1f %%</b> <bdi",
		100 * (double)source->millis / (double)sources->lines.millis);
	if (shown)
		html_title_write(source->function, stream);
	putc('>', stream);
	html_text_write(shown ? shown : source->function, stream);
	fputs("</bdi> <span>", stream);
	html_text_write(source->file, stream);
	fputs("</span></summary>", stream);
}

void html_sources_write(const struct html_sources *sources, FILE *stream)
{
	if (sources->count == 0)
		return;
	fputs("<h2>Source of the hottest functions</h2>\n", stream);
	for (size_t i = 0; i < sources->count; i++) {
		const struct html_source *source = &sources->source[i];

		fprintf(stream, "<details id=s%zu%s>", i + 1, i < 3 ? " open" : "");
		put_summary(sources, source, stream);
		fputs("<div class=wide><table class=src>\n", stream);
		put_lines(sources, source, stream);
		fputs("</table></div></details>\n", stream);
	}
}
