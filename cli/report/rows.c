/* SPDX-License-Identifier: MIT */
/* The rows of a report. */

#include "cli/report/rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/report/columns.h"
#include "cli/report/labels.h"
#include "cli/report/margin.h"
#include "cli/report/report.h"
#include "cli/report/row_table.h"
#include "cli/report/shares.h"

static const char none[] = "";

/* Columns in which the functions that share a bucket differ; object and process are the same. */
#define DIVIDING ((1U << COLUMN_FUNCTION) | (1U << COLUMN_FILE))

/* What goes into rows, and what is needed on the way. */
struct grouping {
	const struct profile *profile;
	const struct options *options;
	struct string_pool *strings;
	struct row_table table;
	struct row hidden; /* what --focus hides */
	bool hides;
	bool divides;		/* the shares of a bucket may go to different rows */
	const char **processes; /* how each process is called, found when it is met */
	const char **threads;	/* the same of threads, by their numbers in entries */
	struct shares shares;
};

static bool tells(const struct grouping *grouping, enum column column)
{
	return keys_tell(&grouping->options->by, column);
}

/* Labels are found once. */
static const char *process_label(struct grouping *grouping, uint32_t index)
{
	if (!grouping->processes[index])
		grouping->processes[index] =
			label_process(grouping->profile, index, grouping->strings);
	return grouping->processes[index];
}

static const char *thread_label(struct grouping *grouping, uint32_t number)
{
	const char **label = &grouping->threads[number ? number - 1 : 0];

	if (number == 0)
		return label_thread(grouping->profile, number, grouping->strings);
	if (!*label)
		*label = label_thread(grouping->profile, number, grouping->strings);
	return *label;
}

/* The only run of a profile has no name of its own. */
static const char *run_label(const struct grouping *grouping, uint32_t process)
{
	const char *run = grouping->profile->processes[process].run;

	return run ? run : "1";
}

/* The share's part of the entry's ticks in the kernel. */
static uint64_t kernel_millis(const struct profile_entry *entry, const struct share *share)
{
	if (entry->ticks == 0)
		return 0;
	return (uint64_t)((unsigned __int128)share->millis * entry->kernel / entry->ticks);
}

/* Adds one share of an entry to the row where it belongs. */
static int add_share(struct grouping *grouping, const struct profile_entry *entry,
		     const struct share *share)
{
	const struct profile_object *object = &grouping->profile->objects[entry->object];
	bool special = object->kind == OBJECT_SPECIAL;
	const char *function = label_function(object, share, grouping->strings);
	struct row row = {
		.process = none,
		.thread = none,
		.run = tells(grouping, COLUMN_RUN) ? run_label(grouping, entry->process) : none,
		/* A special row has no other name: it keeps this one whatever the keys tell. */
		.function = special || tells(grouping, COLUMN_FUNCTION) ? function : none,
		.object = !special && tells(grouping, COLUMN_OBJECT) ? label_object(object, share)
								     : none,
		.file = none,
		.address = tells(grouping, COLUMN_ADDRESS) ? entry->address : 0,
		.millis = share->millis,
		.kernel_millis = kernel_millis(entry, share),
		.estimated = grouping->shares.estimated && grouping->divides,
	};

	if (!function)
		return -ENOMEM;
	if (!label_in_focus(grouping->options, function,
			    special ? none : label_object(object, share))) {
		grouping->hides = true;
		row_add(&grouping->hidden, &row);
		return 0;
	}
	if (share->frame && share->frame->file && tells(grouping, COLUMN_FILE))
		row.file = share->frame->file;
	if (share->frame && tells(grouping, COLUMN_LINE))
		row.line = share->frame->line;
	if (tells(grouping, COLUMN_PROCESS))
		row.process = process_label(grouping, entry->process);
	if (tells(grouping, COLUMN_THREAD))
		row.thread = thread_label(grouping, entry->thread);
	return row.process && row.thread ? row_table_add(&grouping->table, &row) : -ENOMEM;
}

static int group_entries(struct grouping *grouping)
{
	const struct profile *profile = grouping->profile;

	for (size_t i = 0; i < profile->entry_count; i++) {
		const struct profile_entry *entry = &profile->entries[i];

		if (shares_divide(&grouping->shares, profile, entry) < 0)
			return -ENOMEM;
		for (size_t j = 0; j < grouping->shares.count; j++) {
			const struct share *share = &grouping->shares.share[j];

			if (share->millis && add_share(grouping, entry, share) < 0)
				return -ENOMEM;
		}
	}
	return 0;
}

/* Falling ticks, then function, then object; the rest only makes the order complete. */
static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	int order;

	if (a->millis != b->millis)
		return a->millis > b->millis ? -1 : 1;
	order = strcmp(a->function, b->function);
	if (order == 0)
		order = strcmp(a->object, b->object);
	if (order == 0)
		order = strcmp(a->file, b->file);
	if (order == 0)
		order = (a->line > b->line) - (a->line < b->line);
	if (order == 0)
		order = strcmp(a->process, b->process);
	if (order == 0)
		order = strcmp(a->thread, b->thread);
	if (order == 0)
		order = strcmp(a->run, b->run);
	if (order == 0)
		order = (a->address > b->address) - (a->address < b->address);
	return order;
}

/* By --sort's column, and where that does not tell as ever. */
static int compare_sorted(const void *left, const void *right, void *data)
{
	const struct options *options = data;
	int order = 0;

	if (options->sort && options->sort->compare)
		order = options->sort->compare(left, right);
	if (order == 0)
		order = compare_rows(left, right);
	return options->sort_reversed ? -order : order;
}

/* Sorts the rows and returns how many of them --min and --top show: those that stand first. */
static size_t sort_rows(struct rows *rows, const struct options *options)
{
	uint32_t top = options->top == TOP_OF_FORMAT ? options->format->default_top : options->top;
	size_t shown = rows->count;

	if (rows->count == 0)
		return 0;
	qsort(rows->row, rows->count, sizeof(*rows->row), compare_rows);
	while (shown && row_percent(rows, &rows->row[shown - 1]) < options->min_percent)
		shown--;
	if (options->sort)
		qsort_r(rows->row, shown, sizeof(*rows->row), compare_sorted, (void *)options);
	return top && shown > top ? top : shown;
}

/* Sorts, and sums what --min, --top and --focus hide in a last row. */
static int finish_rows(struct rows *rows, struct grouping *grouping)
{
	size_t shown = sort_rows(rows, grouping->options);
	struct row other = grouping->hidden;

	rows->hidden = rows->count - shown;
	/* A filter that matches nothing leaves no rows at all. */
	if (rows->count == 0 || (rows->hidden == 0 && !grouping->hides))
		return 0;
	for (size_t i = shown; i < rows->count; i++)
		row_add(&other, &rows->row[i]);
	other.function = "[other]";
	other.process = other.thread = other.run = other.object = other.file = none;
	if (!grow(&grouping->table.row, shown + 1, &grouping->table.room))
		return -ENOMEM;
	rows->row = grouping->table.row;
	rows->row[shown] = other;
	rows->count = shown + 1;
	rows->has_other = true;
	return 0;
}

static int build(struct grouping *grouping, struct rows *rows)
{
	int code;

	grouping->processes = calloc(grouping->profile->process_count + 1, sizeof(char *));
	grouping->threads = calloc(grouping->profile->thread_count + 1, sizeof(char *));
	grouping->strings = string_pool_new();
	rows->strings = grouping->strings;
	if (!grouping->processes || !grouping->threads || !grouping->strings)
		return -ENOMEM;
	code = group_entries(grouping);
	if (code < 0)
		return code;
	rows->row = grouping->table.row;
	rows->count = grouping->table.count;
	return finish_rows(rows, grouping);
}

/* Whether inlined functions have rows of their own: where a key asks for source lines. */
static bool wants_inlines(const struct options *options)
{
	return options->inlines && (keys_tell(&options->by, COLUMN_FILE) || options->format->lines);
}

int rows_build(const struct profile *profile, const struct options *options, struct rows *ret_rows,
	       struct error *err)
{
	struct grouping grouping = {
		.profile = profile,
		.options = options,
		.divides = options->focus || options->by.tells & DIVIDING,
		.shares.inlines = profile->foreign || wants_inlines(options),
	};
	int code;

	*ret_rows = (struct rows){
		.millis = profile->ticks * MILLIS,
		.period_seconds = profile->period_seconds,
		.effective_ticks = profile->effective_ticks,
		.kernel_known = profile->kernel_known,
	};
	code = build(&grouping, ret_rows);
	ret_rows->row = grouping.table.row;
	free(grouping.table.slots);
	free(grouping.processes);
	free(grouping.threads);
	shares_done(&grouping.shares);
	return code < 0 ? error_set(err, code, "cannot make the report: ") : 0;
}

void rows_done(struct rows *rows)
{
	free(rows->row);
	string_pool_free(rows->strings);
	*rows = (struct rows){.count = 0};
}

double row_seconds(const struct rows *rows, const struct row *row)
{
	return (double)row->millis / MILLIS * rows->period_seconds;
}

double row_percent(const struct rows *rows, const struct row *row)
{
	return rows->millis ? 100.0 * (double)row->millis / (double)rows->millis : 0;
}

double row_margin(const struct rows *rows, const struct row *row)
{
	return 100 * margin_of(row_percent(rows, row) / 100, rows->effective_ticks);
}

double row_kernel_percent(const struct row *row)
{
	return row->millis ? 100.0 * (double)row->kernel_millis / (double)row->millis : 0;
}
