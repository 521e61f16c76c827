/* SPDX-License-Identifier: MIT */
/* Two profiles compared row by row: which rows are the same. */

#include "cli/report/diff.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/margin.h"
#include "cli/report/shares.h"
#include "symbolize/util.h"

/* A row of one profile, its strings those of the diff. */
struct item {
	struct row row;
	enum diff_side side;
	bool paired;
};

struct items {
	struct item *item;
	size_t count;
};

/* "cc1 (1234)" without its number, which is another in every run. */
static const char *without_number(struct string_pool *strings, const char *label)
{
	const char *open = strrchr(label, '(');
	AUTO_FREE char *plain = NULL;

	if (!open || open == label || open[-1] != ' ' || !isdigit((unsigned char)open[1]) ||
	    strcmp(open + 1 + strspn(open + 1, "0123456789"), ")") != 0)
		return string_pool_add(strings, label);
	plain = strndup(label, (size_t)(open - label) - 1);
	return plain ? string_pool_add(strings, plain) : NULL;
}

/* "[app+0x1234]" as "[app]": unknown code lies elsewhere in every build. */
static const char *without_offset(struct string_pool *strings, const char *name)
{
	const char *plus = *name == '[' ? strrchr(name, '+') : NULL;
	AUTO_FREE char *plain = NULL;

	if (!plus || strncmp(plus, "+0x", 3) != 0)
		return string_pool_add(strings, name);
	if (asprintf(&plain, "%.*s]", (int)(plus - name), name) < 0) {
		plain = NULL; /* asprintf leaves it undefined */
		return NULL;
	}
	return string_pool_add(strings, plain);
}

static bool take_strings(struct string_pool *strings, struct row *row)
{
	row->process = without_number(strings, row->process);
	row->thread = without_number(strings, row->thread);
	row->run = string_pool_add(strings, row->run);
	row->function = without_offset(strings, row->function);
	row->object = string_pool_add(strings, row->object);
	row->file = string_pool_add(strings, row->file);
	return row->process && row->thread && row->run && row->function && row->object && row->file;
}

static int take_rows(struct diff *diff, enum diff_side side, const struct options *options,
		     struct items *items, struct error *err)
{
	struct rows rows;
	int code = rows_build(diff->profile[side], options, &rows, err);
	struct item *item = NULL;

	if (code == 0)
		item = reallocarray(items->item, items->count + rows.count + 1, sizeof(*item));
	if (item)
		items->item = item;
	for (size_t i = 0; item && i < rows.count; i++) {
		items->item[items->count] = (struct item){.row = rows.row[i], .side = side};
		if (!take_strings(diff->strings, &items->item[items->count++].row))
			item = NULL;
	}
	diff->millis[side] = rows.millis;
	diff->effective[side] = rows.effective_ticks;
	diff->period[side] = rows.period_seconds;
	rows_done(&rows);
	if (code == 0 && !item)
		return error_set(err, -ENOMEM, "cannot compare: ");
	return code;
}

static int compare_pointers(const void *a, const void *b)
{
	return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

/* Any order in which rows that are the same stand together; strings are of one pool. */
static int compare_rows(const struct row *a, const struct row *b)
{
	int order = compare_pointers(a->function, b->function);

	if (order == 0)
		order = compare_pointers(a->object, b->object);
	if (order == 0)
		order = compare_pointers(a->file, b->file);
	if (order == 0)
		order = (a->line > b->line) - (a->line < b->line);
	if (order == 0)
		order = compare_pointers(a->process, b->process);
	if (order == 0)
		order = compare_pointers(a->thread, b->thread);
	if (order == 0)
		order = compare_pointers(a->run, b->run);
	if (order == 0)
		order = (a->address > b->address) - (a->address < b->address);
	return order;
}

static int compare_items(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	int order = compare_rows(&a->row, &b->row);

	return order ? order : (int)a->side - (int)b->side;
}

static void add_item(struct diff_row *row, const struct item *item)
{
	row->row = item->row; /* the newer one's, which comes last */
	row->millis[item->side] += item->row.millis;
}

/* One row for each group of items that are the same. */
static void unite_items(struct diff *diff, const struct items *items)
{
	for (size_t i = 0; i < items->count; i++) {
		if (i == 0 || compare_rows(&items->item[i - 1].row, &items->item[i].row) != 0)
			diff->row[diff->count++] = (struct diff_row){.chance = 1};
		add_item(&diff->row[diff->count - 1], &items->item[i]);
	}
}

/* By function, those of one side alone; others behind. */
static int compare_lonely(const void *left, const void *right)
{
	const struct diff_row *a = left, *b = right;
	bool pair_a = a->millis[DIFF_OLD] && a->millis[DIFF_NEW];
	bool pair_b = b->millis[DIFF_OLD] && b->millis[DIFF_NEW];

	if (pair_a != pair_b)
		return pair_a - pair_b;
	return compare_pointers(a->row.function, b->row.function);
}

/* The rows from @first on that are of one side and of the same function. */
static size_t count_lonely(const struct diff *diff, size_t first)
{
	size_t end = first;

	while (end < diff->count && compare_lonely(&diff->row[first], &diff->row[end]) == 0)
		end++;
	return end - first;
}

/* Pairs rows that are left over where a function is the only one of its name on either side. */
static void pair_lonely(struct diff *diff)
{
	size_t kept = 0;

	qsort(diff->row, diff->count, sizeof(*diff->row), compare_lonely);
	for (size_t i = 0, count; i < diff->count; i += count) {
		struct diff_row *row = &diff->row[i];
		bool alone = !row->millis[DIFF_OLD] || !row->millis[DIFF_NEW];

		count = alone ? count_lonely(diff, i) : 1;
		if (count == 2 && *row->row.function && *row->row.function != '[' &&
		    !row[0].millis[DIFF_OLD] != !row[1].millis[DIFF_OLD]) {
			enum diff_side other = row[0].millis[DIFF_OLD] ? DIFF_NEW : DIFF_OLD;

			row->millis[other] = row[1].millis[other];
			row->row = row[other == DIFF_NEW].row;
			diff->row[kept++] = *row;
			continue;
		}
		for (size_t j = 0; j < count; j++)
			diff->row[kept++] = row[j];
	}
	diff->count = kept;
}

static void fill_side(const struct diff *diff, struct diff_row *row, enum diff_side side,
		      double *squares)
{
	double all = (double)diff->millis[side];
	double part = all > 0 ? (double)row->millis[side] / all : 0;
	double margin = margin_of(part, diff->effective[side]);
	double seconds = all / MILLIS * diff->period[side];

	row->percent[side] = 100 * part;
	row->seconds[side] = seconds * part;
	squares[0] += seconds * margin * seconds * margin;
	squares[1] += 1e4 * margin * margin;
}

static void fill_numbers(struct diff *diff)
{
	for (size_t i = 0; i < diff->count; i++) {
		struct diff_row *row = &diff->row[i];
		double squares[2] = {0, 0};

		fill_side(diff, row, DIFF_OLD, squares);
		fill_side(diff, row, DIFF_NEW, squares);
		row->seconds_margin = sqrt(squares[0]);
		row->percent_margin = sqrt(squares[1]);
	}
}

static int build(struct diff *diff, const struct options *options, struct items *items,
		 struct error *err)
{
	int code = 0;

	diff->strings = string_pool_new();
	if (!diff->strings)
		return error_set(err, -ENOMEM, "cannot compare: ");
	for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES && code == 0; side++)
		code = take_rows(diff, side, options, items, err);
	if (code < 0)
		return code;
	diff->row = calloc(items->count + 1, sizeof(*diff->row));
	if (!diff->row)
		return error_set(err, -ENOMEM, "cannot compare: ");
	if (items->count)
		qsort(items->item, items->count, sizeof(*items->item), compare_items);
	unite_items(diff, items);
	if (keys_tell(&options->by, COLUMN_FUNCTION))
		pair_lonely(diff);
	fill_numbers(diff);
	diff_judge(diff);
	return 0;
}

int diff_build(const struct profile *old, const struct profile *new, const struct options *options,
	       struct diff *ret_diff, struct error *err)
{
	/* Every row counts; what is shown of them is the formats' affair. */
	struct options all = *options;
	struct items items = {.count = 0};
	int code;

	all.top = 0;
	all.min_percent = 0;
	all.sort = NULL;
	*ret_diff = (struct diff){.profile = {old, new}};
	code = build(ret_diff, &all, &items, err);
	free(items.item);
	return code;
}

void diff_done(struct diff *diff)
{
	free(diff->row);
	string_pool_free(diff->strings);
	*diff = (struct diff){.count = 0};
}

double diff_cpu_seconds(const struct diff *diff, enum diff_side side)
{
	if (diff->profile[side]->foreign)
		return (double)diff->profile[side]->ticks * diff->period[side];
	return profile_cpu_seconds(diff->profile[side]);
}
