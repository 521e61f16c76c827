/* SPDX-License-Identifier: MIT */
/*
 * Which rows of a diff changed, with at most 5 % chance that any row of a table does where there is
 * no difference.
 *
 * A row has changed when its seconds did (Holm's procedure over all rows that could have, by
 * Tarone: rows of so few ticks that no division of them would be improbable are no comparisons).
 * But two runs of one program differ in speed, too, by what else the machine does. So its share
 * must have changed with it (Holm's again, over the rows found so far), unless its seconds changed
 * by more than machines vary.
 */

#include "cli/report/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/difference.h"
#include "cli/report/shares.h"

#define MACHINE 1.15 /* how much slower or faster the same work may be on the same machine */
#define POWER	0.2  /* the chance to miss a change that is called visible */
#define Z	1.959963984540054

struct judging {
	struct diff *diff;
	struct difference_side seconds[DIFF_SIDES];
	struct difference_side share[DIFF_SIDES];
};

/* Ticks as independent ones. */
static double count_of(const struct diff *diff, const struct diff_row *row, enum diff_side side)
{
	double all = (double)diff->millis[side];

	return all > 0 ? (double)row->millis[side] / all * diff->effective[side] : 0;
}

static struct judging judging_of(struct diff *diff)
{
	struct judging judging = {.diff = diff};

	for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES; side++) {
		double effective = diff->effective[side];
		double seconds = (double)diff->millis[side] / MILLIS * diff->period[side];

		judging.seconds[side] = (struct difference_side){effective, seconds / effective};
		judging.share[side] = (struct difference_side){effective, 1 / effective};
	}
	return judging;
}

static double chance_of(const struct judging *judging, const struct difference_side *sides,
			const struct diff_row *row, double factor)
{
	double old = count_of(judging->diff, row, DIFF_OLD);
	double new = count_of(judging->diff, row, DIFF_NEW);

	return difference_chance(&sides[DIFF_OLD], old, &sides[DIFF_NEW], new, factor,
				 row->seconds[DIFF_NEW] > row->seconds[DIFF_OLD]);
}

/* Of a change either way, as nobody knew beforehand which. */
static double two_sided(double chance)
{
	return chance < 0.5 ? 2 * chance : 1;
}

static bool can_change(const struct judging *judging, const struct diff_row *row, double chance)
{
	double ticks =
		count_of(judging->diff, row, DIFF_OLD) + count_of(judging->diff, row, DIFF_NEW);

	return two_sided(difference_least_chance(&judging->seconds[DIFF_OLD],
						 &judging->seconds[DIFF_NEW], ticks)) <= chance;
}

/* The least number of comparisons, of the rows that could change at the level that it leaves. */
static size_t count_comparisons(const struct judging *judging)
{
	const struct diff *diff = judging->diff;

	for (size_t comparisons = 1; comparisons < diff->count;) {
		size_t able = 0;

		for (size_t i = 0; i < diff->count; i++)
			able += can_change(judging, &diff->row[i],
					   DIFFERENCE_ALPHA / (double)comparisons);
		if (able <= comparisons)
			return comparisons;
		comparisons = comparisons * 2 < able ? comparisons * 2 : comparisons + 1;
	}
	return diff->count ? diff->count : 1;
}

static int compare_chances(const void *left, const void *right)
{
	const struct diff_row *a = left, *b = right;

	return (a->chance > b->chance) - (a->chance < b->chance);
}

/* How many rows, sorted by chance, have changed in seconds by Holm's procedure. */
static size_t count_found(const struct diff *diff)
{
	size_t found = 0;

	while (found < diff->count && found < diff->comparisons &&
	       diff->row[found].chance <= DIFFERENCE_ALPHA / (double)(diff->comparisons - found))
		found++;
	return found;
}

/* Whether the change is larger than what a machine's speed explains. */
static bool beyond_machine(const struct judging *judging, const struct diff_row *row)
{
	bool rises = row->seconds[DIFF_NEW] > row->seconds[DIFF_OLD];
	double factor = rises ? MACHINE : 1 / MACHINE;

	return two_sided(chance_of(judging, judging->seconds, row, factor)) <=
	       DIFFERENCE_ALPHA / (double)judging->diff->comparisons;
}

struct candidate {
	struct diff_row *row;
	double chance; /* of the change in its share */
};

static int compare_candidates(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	return (a->chance > b->chance) - (a->chance < b->chance);
}

/* Of the first @found rows, marks those whose share changed with their seconds. */
static void mark_shares(const struct judging *judging, size_t found)
{
	struct candidate *candidates = calloc(found + 1, sizeof(*candidates));
	size_t count = 0;

	/* Without memory nothing is marked: the cautious answer. */
	for (size_t i = 0; candidates && i < found; i++) {
		struct diff_row *row = &judging->diff->row[i];

		if (!row->changed)
			candidates[count++] =
				(struct candidate){row, chance_of(judging, judging->share, row, 1)};
	}
	if (count)
		qsort(candidates, count, sizeof(*candidates), compare_candidates);
	for (size_t i = 0; i < count; i++) {
		if (candidates[i].chance > DIFFERENCE_ALPHA / (double)(count - i))
			break;
		candidates[i].row->changed = true;
	}
	free(candidates);
}

static int compare_changes(const void *left, const void *right)
{
	const struct diff_row *a = left, *b = right;
	double of_a = fabs(a->seconds[DIFF_NEW] - a->seconds[DIFF_OLD]);
	double of_b = fabs(b->seconds[DIFF_NEW] - b->seconds[DIFF_OLD]);

	if (a->changed != b->changed)
		return b->changed - a->changed;
	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	if (strcmp(a->row.function, b->row.function) != 0)
		return strcmp(a->row.function, b->row.function);
	return strcmp(a->row.object, b->row.object);
}

void diff_judge(struct diff *diff)
{
	struct judging judging = judging_of(diff);
	bool comparable = diff->effective[DIFF_OLD] > 0 && diff->effective[DIFF_NEW] > 0;
	size_t found;

	diff->comparisons = 1;
	if (comparable) {
		for (size_t i = 0; i < diff->count; i++)
			diff->row[i].chance =
				two_sided(chance_of(&judging, judging.seconds, &diff->row[i], 1));
		diff->comparisons = count_comparisons(&judging);
		qsort(diff->row, diff->count, sizeof(*diff->row), compare_chances);
		found = count_found(diff);
		for (size_t i = 0; i < found; i++)
			diff->row[i].changed = beyond_machine(&judging, &diff->row[i]);
		mark_shares(&judging, found);
	}
	for (size_t i = 0; i < diff->count; i++)
		diff->changed += diff->row[i].changed;
	if (diff->count)
		qsort(diff->row, diff->count, sizeof(*diff->row), compare_changes);
}

double diff_visible_change(const struct diff *diff, double part)
{
	struct judging judging = judging_of((struct diff *)diff);
	double level = DIFFERENCE_ALPHA / 2 / (double)diff->comparisons;

	return (difference_quantile(level) + difference_quantile(POWER)) *
	       difference_deviation(&judging.seconds[DIFF_OLD], part * diff->effective[DIFF_OLD],
				    &judging.seconds[DIFF_NEW], part * diff->effective[DIFF_NEW]);
}

double diff_family_margin(const struct diff *diff, const struct diff_row *row)
{
	return row->percent_margin *
	       difference_quantile(DIFFERENCE_ALPHA / 2 / (double)diff->comparisons) / Z;
}
