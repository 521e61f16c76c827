/* SPDX-License-Identifier: MIT */
/* A diff for people: what changed, and one line for all that chance explains. */

#include "cli/report/diff.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/report/columns.h"
#include "cli/report/margin.h"
#include "cli/report/text_table.h"
#include "symbolize/util.h"

#define TOP_DEFAULT 25
#define SMALL_PART  0.01 /* of the run: the second size for which a visible change is told */

static const struct text_table_column table_columns[] = {
	{"", true},	  {"change", false}, {"±95%", false, "+-95%"}, {"old s", false},
	{"new s", false}, {"share", false},  {"±95%", false, "+-95%"}, {"object", true},
	{"", true},
};

/* How many runs were added up; their names are strings of one pool. */
static size_t count_runs(const struct profile *profile)
{
	size_t count = 0;

	for (size_t i = 0; i < profile->process_count; i++) {
		bool seen = false;

		for (size_t j = 0; j < i && !seen; j++)
			seen = profile->processes[j].run == profile->processes[i].run;
		count += !seen;
	}
	return count;
}

/* One of the two as a line: when nothing says what ran, its ticks do. */
static void put_side(const struct diff *diff, enum diff_side side, const struct terminal *terminal,
		     FILE *stream)
{
	const struct profile *profile = diff->profile[side];
	const char *command = profile->command && profile->command[0] ? profile->command[0] : "";
	AUTO_FREE char *shown = terminal_text(terminal, basename(command), 0);
	size_t run_count = count_runs(profile);
	char runs[48] = "";

	if (run_count > 1)
		snprintf(runs, sizeof(runs), ", the sum of %zu runs", run_count);
	fprintf(stream, "%s%s  CPU %.2f s, %" PRIu64 " ticks of %g ms%s%s%s%s\n",
		terminal_style(terminal, STYLE_FAINT), side == DIFF_OLD ? "old" : "new",
		diff_cpu_seconds(diff, side), profile->ticks, diff->period[side] * 1e3, runs,
		shown && *shown ? "  " : "", shown ? shown : "",
		terminal_style(terminal, STYLE_PLAIN));
}

/* To @digits decimals, and nothing at all without a sign of less. */
static double rounded(double change, int digits)
{
	const double units = pow(10, digits);

	return round(change * units) / units + 0.0;
}

static void put_total(const struct diff *diff, const struct terminal *terminal, FILE *stream)
{
	double old = diff_cpu_seconds(diff, DIFF_OLD), new = diff_cpu_seconds(diff, DIFF_NEW);

	fprintf(stream, "%sCPU time %+.2f s%s", terminal_style(terminal, STYLE_HEAD),
		rounded(new - old, 2), terminal_style(terminal, STYLE_PLAIN));
	if (old > 0)
		fprintf(stream, " (%+.1f%%)", rounded(100 * (new - old) / old, 1));
	putc('\n', stream);
}

static const char *verdict_of(const struct diff_row *row)
{
	if (!row->changed)
		return "";
	if (!row->millis[DIFF_OLD])
		return "new";
	if (!row->millis[DIFF_NEW])
		return "gone";
	return row->seconds[DIFF_NEW] > row->seconds[DIFF_OLD] ? "slower" : "faster";
}

/* What identifies the row beside its object: all that the keys tell. */
static char *name_of(const struct diff_row *row)
{
	const struct row *of = &row->row;
	const char *file = strrchr(of->file, '/') ? strrchr(of->file, '/') + 1 : of->file;
	char *name = NULL;
	size_t size;
	FILE *stream = open_memstream(&name, &size);

	if (!stream)
		return NULL;
	if (*of->process)
		fprintf(stream, "%s ", of->process);
	if (*of->thread)
		fprintf(stream, "%s ", of->thread);
	if (*of->run)
		fprintf(stream, "%s ", of->run);
	if (of->address)
		fprintf(stream, "0x%" PRIx64 " ", of->address);
	if (*file)
		fprintf(stream, of->line ? "%s:%u " : "%s ", file, of->line);
	fputs(of->function, stream);
	fclose(stream);
	if (size && name[size - 1] == ' ')
		name[size - 1] = '\0';
	return name;
}

static int add_row(struct text_table *table, const struct diff_row *row, int decimals,
		   const struct terminal *terminal)
{
	AUTO_FREE char *name = name_of(row);
	enum style style = row->changed ? STYLE_HEAD : STYLE_FAINT;
	bool slower = row->changed && row->seconds[DIFF_NEW] > row->seconds[DIFF_OLD];

	if (!name)
		return -ENOMEM;
	text_table_add(table, slower ? STYLE_HOT : style, "%s", verdict_of(row));
	text_table_add(table, slower ? STYLE_HOT : style, "%+.*f s", decimals,
		       rounded(row->seconds[DIFF_NEW] - row->seconds[DIFF_OLD], decimals));
	text_table_add(table, STYLE_FAINT, "%s%.*f", terminal->utf8 ? "±" : "+-", decimals,
		       row->seconds_margin);
	text_table_add(table, STYLE_PLAIN, "%.*f", decimals, row->seconds[DIFF_OLD]);
	text_table_add(table, STYLE_PLAIN, "%.*f", decimals, row->seconds[DIFF_NEW]);
	text_table_add(table, STYLE_PLAIN, "%+.1f",
		       rounded(row->percent[DIFF_NEW] - row->percent[DIFF_OLD], 1));
	text_table_add(table, STYLE_FAINT, "%s%.1f", terminal->utf8 ? "±" : "+-",
		       row->percent_margin);
	text_table_add(table, STYLE_FAINT, "%s", row->row.object);
	text_table_add(table, style, "%s", name);
	return 0;
}

static int put_table(const struct diff *diff, const struct options *options, size_t shown,
		     const struct terminal *terminal, FILE *stream)
{
	struct text_table_column columns[ARRAY_SIZE(table_columns)];
	const double period = fmin(diff->period[DIFF_OLD], diff->period[DIFF_NEW]);
	const int decimals = margin_decimals(period);
	struct text_table *table;
	int code;

	memcpy(columns, table_columns, sizeof(columns));
	columns[ARRAY_SIZE(columns) - 1].title = options->by.key[options->by.count - 1]->name;
	table = text_table_new(columns, ARRAY_SIZE(columns));
	code = table ? 0 : -ENOMEM;

	for (size_t i = 0; i < shown && code == 0; i++)
		code = add_row(table, &diff->row[i], decimals, terminal);
	if (code == 0)
		code = text_table_write(table, terminal, stream);
	text_table_free(table);
	return code;
}

/* "3 more rows are within the noise", and what these counts could have shown. */
static void put_noise(const struct diff *diff, size_t shown, FILE *stream)
{
	double largest = 0;

	if (!diff->millis[DIFF_OLD] || !diff->millis[DIFF_NEW]) {
		fputs("nothing can be said: one of the two has no ticks\n", stream);
		return;
	}
	for (size_t i = diff->changed; i < diff->count; i++)
		largest = fmax(largest, diff->row[i].percent[DIFF_OLD] / 100);
	if (diff->count > diff->changed)
		fprintf(stream,
			"%zu%s row%s: no change beyond chance and the machine's varying speed",
			diff->count - diff->changed, diff->changed ? " more" : "",
			diff->count - diff->changed == 1 ? "" : "s");
	else
		fputs("every row has changed", stream);
	fputs(";\nthese ticks show a change of ", stream);
	if (largest > SMALL_PART)
		fprintf(stream, "%.2f s where a function takes %.0f%%, of ",
			diff_visible_change(diff, largest), 100 * largest);
	fprintf(stream, "%.2f s where %s takes %.0f%%\n", diff_visible_change(diff, SMALL_PART),
		largest > SMALL_PART ? "it" : "a function", 100 * SMALL_PART);
	if (shown < diff->changed)
		fprintf(stream, "%zu more rows have changed; --top=0 shows all\n",
			diff->changed - shown);
}

int diff_write_text(const struct diff *diff, const struct options *options,
		    const struct terminal *terminal, FILE *stream)
{
	size_t top = options->top == TOP_OF_FORMAT ? TOP_DEFAULT : options->top;
	size_t shown = options->verbose ? diff->count : diff->changed;
	int code = 0;

	if (top && shown > top)
		shown = top;
	if (!options->quiet) {
		put_side(diff, DIFF_OLD, terminal, stream);
		put_side(diff, DIFF_NEW, terminal, stream);
	}
	put_total(diff, terminal, stream);
	putc('\n', stream);
	if (shown) {
		code = put_table(diff, options, shown, terminal, stream);
		putc('\n', stream);
	}
	put_noise(diff, shown, stream);
	return code;
}
