/* SPDX-License-Identifier: MIT */
/* The lines of a text report. */

#include "cli/report/text_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/report/row_table.h"
#include "symbolize/util.h"

struct text_level {
	unsigned tells;	   /* the columns that make its groups */
	struct row *group; /* sorted by those columns */
	size_t count;
};

/* A row and the groups that it is in. */
struct leaf {
	const struct row *row;
	const struct row *group[KEYS_MAX];
};

#define TOLD(mask, column) ((mask) & (1U << (column)))

static int compare_told(const struct row *a, const struct row *b, unsigned tells)
{
	int order = TOLD(tells, COLUMN_PROCESS) ? strcmp(a->process, b->process) : 0;

	if (order == 0 && TOLD(tells, COLUMN_THREAD))
		order = strcmp(a->thread, b->thread);
	if (order == 0 && TOLD(tells, COLUMN_RUN))
		order = strcmp(a->run, b->run);
	if (order == 0 && TOLD(tells, COLUMN_FUNCTION))
		order = strcmp(a->function, b->function);
	if (order == 0 && TOLD(tells, COLUMN_OBJECT))
		order = strcmp(a->object, b->object);
	if (order == 0 && TOLD(tells, COLUMN_FILE))
		order = strcmp(a->file, b->file);
	if (order == 0 && TOLD(tells, COLUMN_LINE))
		order = (a->line > b->line) - (a->line < b->line);
	if (order == 0 && TOLD(tells, COLUMN_ADDRESS))
		order = (a->address > b->address) - (a->address < b->address);
	return order;
}

static int compare_groups(const void *left, const void *right, void *data)
{
	return compare_told(left, right, *(const unsigned *)data);
}

/* The row without what the level does not tell. */
static struct row group_of(const struct row *row, unsigned tells)
{
	struct row group = *row;

	group.process = TOLD(tells, COLUMN_PROCESS) ? row->process : "";
	group.thread = TOLD(tells, COLUMN_THREAD) ? row->thread : "";
	group.run = TOLD(tells, COLUMN_RUN) ? row->run : "";
	group.function = TOLD(tells, COLUMN_FUNCTION) ? row->function : "";
	group.object = TOLD(tells, COLUMN_OBJECT) ? row->object : "";
	group.file = TOLD(tells, COLUMN_FILE) ? row->file : "";
	group.line = TOLD(tells, COLUMN_LINE) ? row->line : 0;
	group.address = TOLD(tells, COLUMN_ADDRESS) ? row->address : 0;
	/* The functions that share a bucket are of one object and one process. */
	group.estimated =
		row->estimated && (TOLD(tells, COLUMN_FUNCTION) || TOLD(tells, COLUMN_FILE));
	return group;
}

/* Rows that are no code have no object or file, and so no group that is made of those. */
static bool has_group(const struct row *group)
{
	return *group->process || *group->thread || *group->run || *group->function ||
	       *group->object || *group->file;
}

static int sum_level(struct text_level *level, const struct rows *rows)
{
	size_t kept = 0;

	level->group = calloc(rows->count + 1, sizeof(*level->group));
	if (!level->group)
		return -ENOMEM;
	for (size_t i = 0; i + rows->has_other < rows->count; i++)
		level->group[level->count++] = group_of(&rows->row[i], level->tells);
	if (level->count == 0)
		return 0;
	qsort_r(level->group, level->count, sizeof(*level->group), compare_groups, &level->tells);
	for (size_t i = 1; i < level->count; i++) {
		if (compare_told(&level->group[kept], &level->group[i], level->tells) == 0)
			row_add(&level->group[kept], &level->group[i]);
		else
			level->group[++kept] = level->group[i];
	}
	level->count = kept + 1;
	return 0;
}

/* The levels that the keys make: each prefix that tells more than the one before, but not all. */
static int find_levels(struct text_tree *tree, const struct keys *keys)
{
	unsigned tells = 0;

	tree->level = calloc(keys->count, sizeof(*tree->level));
	if (!tree->level)
		return -ENOMEM;
	for (size_t i = 0; i < keys->count; i++) {
		unsigned before = tells;

		tells |= keys->key[i]->tells;
		if (tells == before || tells == keys->tells)
			continue;
		tree->level[tree->level_count++].tells = tells;
		tree->grouped = tells;
	}
	return 0;
}

static int add_line(struct text_tree *tree, const struct row *row, unsigned depth, unsigned tells,
		    bool group)
{
	if (!grow(&tree->line, tree->count + 1, &tree->room))
		return -ENOMEM;
	tree->line[tree->count++] = (struct text_line){row, depth, tells, group};
	return 0;
}

/* The group that @row is in, or the row itself where it has none. */
static const struct row *find_group(const struct text_level *level, const struct row *row)
{
	size_t low = 0, high = level->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare_told(&level->group[middle], row, level->tells);

		if (order == 0)
			return has_group(&level->group[middle]) ? &level->group[middle] : row;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return row;
}

/* The larger group first, all the way in; rows keep their order. */
static int compare_leaves(const void *left, const void *right, void *data)
{
	const struct leaf *a = left, *b = right;
	const struct text_tree *tree = data;

	for (size_t i = 0; i < tree->level_count; i++) {
		if (a->group[i] == b->group[i])
			continue;
		if (a->group[i]->millis != b->group[i]->millis)
			return a->group[i]->millis > b->group[i]->millis ? -1 : 1;
		return a->group[i] < b->group[i] ? -1 : 1;
	}
	return (a->row > b->row) - (a->row < b->row);
}

/* The lines of a leaf: those of its groups that the one before was not in, then itself. */
static int add_leaf(struct text_tree *tree, const struct leaf *leaf, const struct leaf *before,
		    unsigned tells)
{
	unsigned told = 0, depth = 0;
	bool same = before;
	int code = 0;

	for (size_t i = 0; i < tree->level_count && code == 0; i++) {
		const struct text_level *level = &tree->level[i];

		same = same && before->group[i] == leaf->group[i];
		if (leaf->group[i] == leaf->row)
			continue;
		if (!same)
			code = add_line(tree, leaf->group[i], depth, level->tells & ~told, true);
		told = level->tells;
		depth++;
	}
	return code < 0 ? code : add_line(tree, leaf->row, depth, tells & ~told, false);
}

static int add_leaves(struct text_tree *tree, const struct rows *rows, unsigned tells)
{
	size_t count = rows->count - rows->has_other;
	AUTO_FREE struct leaf *leaves = calloc(count + 1, sizeof(*leaves));
	int code = 0;

	if (!leaves)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		leaves[i].row = &rows->row[i];
		for (size_t j = 0; j < tree->level_count; j++)
			leaves[i].group[j] = find_group(&tree->level[j], leaves[i].row);
	}
	if (count && tree->level_count)
		qsort_r(leaves, count, sizeof(*leaves), compare_leaves, tree);
	for (size_t i = 0; i < count && code == 0; i++)
		code = add_leaf(tree, &leaves[i], i ? &leaves[i - 1] : NULL, tells);
	return code;
}

/* Groups sum all rows, also those that --top and --min hide. */
static int sum_levels(struct text_tree *tree, const struct report *report)
{
	struct options options = *report->options;
	int code;

	if (tree->level_count == 0)
		return 0;
	options.top = 0;
	options.min_percent = 0;
	code = rows_build(report->profile, &options, &tree->all, NULL);
	for (size_t i = 0; i < tree->level_count && code == 0; i++)
		code = sum_level(&tree->level[i], &tree->all);
	return code;
}

int text_tree_build(const struct report *report, struct text_tree *ret_tree)
{
	const struct rows *rows = report->rows;
	const struct keys *keys = &report->options->by;
	int code;

	*ret_tree = (struct text_tree){.count = 0};
	code = find_levels(ret_tree, keys);
	if (code == 0)
		code = sum_levels(ret_tree, report);
	if (code == 0)
		code = add_leaves(ret_tree, rows, keys->tells);
	if (code == 0 && rows->has_other)
		code = add_line(ret_tree, &rows->row[rows->count - 1], 0, keys->tells, false);
	return code;
}

void text_tree_done(struct text_tree *tree)
{
	for (size_t i = 0; i < tree->level_count; i++)
		free(tree->level[i].group);
	free(tree->level);
	free(tree->line);
	rows_done(&tree->all);
	*tree = (struct text_tree){.count = 0};
}
