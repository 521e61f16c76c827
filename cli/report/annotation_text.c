/* SPDX-License-Identifier: MIT */
/* An annotated function for people: hot lines stand out, long quiet stretches are left out. */

#include "cli/report/annotation.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/report/margin.h"
#include "cli/report/shares.h"
#include "cli/report/text_table.h"
#include "symbolize/util.h"

#define CONTEXT	   4   /* quiet lines that are shown beside one with ticks */
#define HOT_PART   0.1 /* of the function's time, from which a line is hot */
#define TAB	   8
#define LEAST_ROWS 60 /* up to which everything is shown */

struct page {
	const struct annotation *annotation;
	const struct terminal *terminal;
	struct text_table *table;
};

static const struct text_table_column columns[] = {
	{"share", false}, {"±95%", false, "+-95%"},	{"CPU s", false}, {"line", false},
	{"", true},	  {"source", true, NULL, true},
};

static const struct text_table_column instruction_columns[] = {
	{"share", false}, {"±95%", false, "+-95%"},	     {"CPU s", false}, {"address", false},
	{"", true},	  {"instruction", true, NULL, true},
};

/* Whether a row with ticks is near, so that this one is shown. */
static bool is_near(const struct annotation *annotation, size_t index)
{
	size_t from = index > CONTEXT ? index - CONTEXT : 0, to = index + CONTEXT;

	if (annotation->count <= LEAST_ROWS || index < 2)
		return true;
	for (size_t i = from; i <= to && i < annotation->count; i++) {
		if (annotation->row[i].millis)
			return true;
	}
	return false;
}

/* A line's own time and that of what was inlined there. */
static uint64_t whole_millis(const struct annotation *annotation, size_t index)
{
	uint64_t millis = annotation->row[index].millis;

	for (size_t i = index + 1; i < annotation->count && annotation->row[i].inlined; i++)
		millis += annotation->row[i].millis;
	return millis;
}

/* Tabs as blanks; freed by the caller. */
static char *expand_tabs(const char *text)
{
	char *expanded = NULL;
	size_t size, column = 0;
	FILE *stream = open_memstream(&expanded, &size);

	if (!stream)
		return NULL;
	for (; *text; text++) {
		size_t blanks = TAB - column % TAB;

		if (*text != '\t') {
			putc(*text, stream);
			column++;
			continue;
		}
		fprintf(stream, "%*s", (int)blanks, "");
		column += blanks;
	}
	fclose(stream);
	return expanded;
}

static void add_numbers(struct page *page, uint64_t millis, enum style style)
{
	const struct profile *profile = page->annotation->profile;
	double part = profile->ticks ? (double)millis / (double)profile->ticks / MILLIS : 0;

	if (!millis) {
		for (int i = 0; i < 3; i++)
			text_table_add(page->table, STYLE_PLAIN, "%s", "");
		return;
	}
	text_table_add(page->table, style, "%.1f%%", 100 * part);
	text_table_add(page->table, STYLE_FAINT, "%s%.1f", page->terminal->utf8 ? "±" : "+-",
		       100 * margin_of(part, profile->effective_ticks));
	text_table_add(page->table, style == STYLE_HOT ? STYLE_PLAIN : style, "%.*f",
		       margin_decimals(profile->period_seconds),
		       (double)millis / MILLIS * profile->period_seconds);
}

/* "    ↳ step  truth.c:31", indented as the line that it was inlined into. */
static int add_inlined(struct page *page, const struct annotation_row *row, const char *line)
{
	const struct profile_frame *inlined = row->inlined;
	AUTO_FREE char *expanded = expand_tabs(line);
	const char *file = inlined->file ? strrchr(inlined->file, '/') : NULL;
	const char *arrow = page->terminal->utf8 ? "↳ " : "-> ";
	size_t indent = expanded ? strspn(expanded, " ") : 0;

	if (!expanded)
		return -ENOMEM;
	file = file ? file + 1 : inlined->file;
	add_numbers(page, row->millis, STYLE_FAINT);
	text_table_add(page->table, STYLE_PLAIN, "%s", "");
	text_table_add(page->table, STYLE_PLAIN, "%s", "");
	text_table_add_name(page->table, STYLE_FAINT, indent + 2 + strlen(arrow), "%*s%s%s%s%s",
			    (int)indent + 2, "", arrow, inlined->function, file ? "  " : "",
			    file ? file : "");
	return 0;
}

static int add_line(struct page *page, size_t index)
{
	const struct annotation_row *row = &page->annotation->row[index];
	uint64_t millis = whole_millis(page->annotation, index);
	bool hot = (double)millis >= HOT_PART * (double)page->annotation->listing.of.millis;
	AUTO_FREE char *expanded = expand_tabs(row->text);

	if (!expanded)
		return -ENOMEM;
	hot = hot && millis;
	add_numbers(page, millis, hot ? STYLE_HOT : STYLE_PLAIN);
	if (row->address)
		text_table_add(page->table, STYLE_FAINT, "%" PRIx64, row->address);
	else if (row->line)
		text_table_add(page->table, STYLE_FAINT, "%u", row->line);
	else
		text_table_add(page->table, STYLE_FAINT, "%s", "");
	text_table_add(page->table, STYLE_HOT, "%s", hot ? ">" : "");
	text_table_add(page->table, hot ? STYLE_HEAD : STYLE_PLAIN, "%s", expanded);
	return 0;
}

static void add_gap(struct page *page)
{
	for (size_t i = 0; i + 1 < ARRAY_SIZE(columns); i++)
		text_table_add(page->table, STYLE_PLAIN, "%s", "");
	text_table_add(page->table, STYLE_FAINT, "%s", page->terminal->utf8 ? "⋮" : "...");
}

static int add_rows(struct page *page)
{
	const struct annotation *annotation = page->annotation;
	const char *line = "";
	bool in_gap = false;
	int code = 0;

	for (size_t i = 0; i < annotation->count && code == 0; i++) {
		const struct annotation_row *row = &annotation->row[i];

		if (!is_near(annotation, i)) {
			if (!in_gap)
				add_gap(page);
			in_gap = true;
			continue;
		}
		in_gap = false;
		line = row->text ? row->text : line;
		code = row->inlined ? add_inlined(page, row, line) : add_line(page, i);
	}
	return code;
}

static void put_head(const struct page *page, FILE *stream)
{
	const struct annotation *annotation = page->annotation;
	const struct profile *profile = annotation->profile;
	const struct listing_candidate *of = &annotation->listing.of;
	double part = profile->ticks ? (double)of->millis / (double)profile->ticks / MILLIS : 0;
	AUTO_FREE char *function = terminal_text(page->terminal, of->function, 0);
	AUTO_FREE char *object =
		terminal_text(page->terminal, profile->objects[of->object].name, 0);
	AUTO_FREE char *file = terminal_text(page->terminal, of->file ? of->file : "", 0);
	AUTO_FREE char *why = terminal_text(page->terminal, annotation->why, 0);

	fprintf(stream, "%s%s%s  %s%s%s\n", terminal_style(page->terminal, STYLE_HEAD),
		function ? function : "?", terminal_style(page->terminal, STYLE_PLAIN),
		object ? object : "?", file && *file ? "  " : "", file ? file : "");
	fprintf(stream, "%.1f%% %s%.1f of the run: %.*f s, %.*f ticks\n", 100 * part,
		page->terminal->utf8 ? "±" : "+-", 100 * margin_of(part, profile->effective_ticks),
		margin_decimals(profile->period_seconds),
		(double)of->millis / MILLIS * profile->period_seconds, of->millis % MILLIS ? 3 : 0,
		(double)of->millis / MILLIS);
	if (why && *why)
		fprintf(stream, "%s\n", why);
	putc('\n', stream);
}

int annotation_write_text(const struct annotation *annotation, const struct options *options,
			  const struct terminal *terminal, FILE *stream)
{
	bool instructions = annotation->count && annotation->row[0].address;
	struct page page = {
		.annotation = annotation,
		.terminal = terminal,
		.table = text_table_new(instructions ? instruction_columns : columns,
					ARRAY_SIZE(columns)),
	};
	int code = page.table ? add_rows(&page) : -ENOMEM;

	if (!options->quiet)
		put_head(&page, stream);
	if (code == 0)
		code = text_table_write(page.table, terminal, stream);
	text_table_free(page.table);
	return code;
}
