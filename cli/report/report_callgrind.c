/* SPDX-License-Identifier: MIT */
/*
 * The format callgrind, for KCachegrind and callgrind_annotate. The cost is CPU time in
 * nanoseconds. A chain of inlined functions is written as calls of one copy each, from the line
 * where the code was inlined: the self cost is the innermost function's.
 */

#include "cli/report/report_callgrind.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/profile/string_pool.h"
#include "cli/report/escape.h"
#include "cli/report/report.h"
#include "cli/report/shares.h"
#include "cli/report/stacks.h"
#include "symbolize/util.h"

#define UNKNOWN_FILE "???" /* as callgrind calls it */

/* Where cost is: a line of a function, or a call from there. Strings are of one pool. */
struct cost {
	const char *object, *file, *function;
	const char *to_file, *to_function; /* NULL: the line's own */
	unsigned line, to_line;
	uint64_t millis;
};

struct costs {
	struct cost *cost;
	size_t count, room;
	const struct profile *profile;
	struct string_pool *names; /* those that were written already are numbers */
	FILE *stream;
};

static int compare_costs(const void *left, const void *right)
{
	const struct cost *a = left, *b = right;
	int order = string_pool_compare(a->object, b->object);

	if (order == 0)
		order = string_pool_compare(a->file, b->file);
	if (order == 0)
		order = string_pool_compare(a->function, b->function);
	if (order == 0)
		order = (a->line > b->line) - (a->line < b->line);
	if (order == 0)
		order = string_pool_compare(a->to_file, b->to_file);
	if (order == 0)
		order = string_pool_compare(a->to_function, b->to_function);
	return order;
}

static const char *file_of(const struct profile_frame *frame)
{
	return frame->file ? frame->file : UNKNOWN_FILE;
}

static int add_cost(struct costs *costs, const struct cost *cost)
{
	if (!grow(&costs->cost, costs->count + 1, &costs->room))
		return -ENOMEM;
	costs->cost[costs->count++] = *cost;
	return 0;
}

static int add_stack(struct costs *costs, const struct stack *stack)
{
	struct cost cost = {
		.object = stack->path,
		.file = UNKNOWN_FILE,
		.function = stack->label,
		.millis = stack->millis,
	};
	int code = 0;

	if (stack->frame_count == 0)
		return add_cost(costs, &cost);
	for (uint32_t i = 0; i < stack->frame_count && code == 0; i++) {
		const struct profile_frame *frame = &stack->frames[i];

		cost.file = file_of(frame);
		cost.function = frame->function;
		cost.line = frame->line;
		cost.to_file = i ? file_of(&stack->frames[i - 1]) : NULL;
		cost.to_function = i ? stack->frames[i - 1].function : NULL;
		cost.to_line = i ? stack->frames[i - 1].line : 0;
		code = add_cost(costs, &cost);
	}
	return code;
}

static void unite_costs(struct costs *costs)
{
	size_t kept = 0;

	if (costs->count == 0)
		return;
	qsort(costs->cost, costs->count, sizeof(*costs->cost), compare_costs);
	for (size_t i = 1; i < costs->count; i++) {
		if (compare_costs(&costs->cost[kept], &costs->cost[i]) == 0)
			costs->cost[kept].millis += costs->cost[i].millis;
		else
			costs->cost[++kept] = costs->cost[i];
	}
	costs->count = kept + 1;
}

/* "fn=(3) name", and only "fn=(3)" when the name was written before. */
static int put_name(struct costs *costs, const char *key, char kind, const char *name)
{
	AUTO_FREE char *whole = NULL;
	bool is_new;
	int64_t number;

	if (asprintf(&whole, "%c%s", kind, name) < 0) {
		whole = NULL; /* asprintf leaves it undefined */
		return -ENOMEM;
	}
	number = string_pool_number(costs->names, whole, &is_new);
	if (number < 0)
		return (int)number;
	fprintf(costs->stream, "%s=(%" PRId64 ")", key, number + 1);
	if (is_new) {
		putc(' ', costs->stream);
		escape_write(name, "", costs->stream);
	}
	putc('\n', costs->stream);
	return 0;
}

static uint64_t nanos_of(const struct costs *costs, uint64_t millis)
{
	return (uint64_t)llround((double)millis * costs->profile->period_seconds * 1e9 / MILLIS);
}

static int put_cost(struct costs *costs, const struct cost *cost, const struct cost *last)
{
	bool new_object = !last || string_pool_compare(last->object, cost->object) != 0;
	bool new_file = new_object || string_pool_compare(last->file, cost->file) != 0;
	bool new_function = new_file || string_pool_compare(last->function, cost->function) != 0;
	int code = 0;

	if (new_function)
		putc('\n', costs->stream);
	if (new_object)
		code = put_name(costs, "ob", 'o', *cost->object ? cost->object : cost->function);
	if (new_file && code == 0)
		code = put_name(costs, "fl", 'f', cost->file);
	if (new_function && code == 0)
		code = put_name(costs, "fn", 'n', cost->function);
	if (cost->to_function && code == 0) {
		code = put_name(costs, "cfi", 'f', cost->to_file);
		if (code == 0)
			code = put_name(costs, "cfn", 'n', cost->to_function);
		fprintf(costs->stream, "calls=1 %u\n", cost->to_line);
	}
	fprintf(costs->stream, "%u %" PRIu64 "\n", cost->line, nanos_of(costs, cost->millis));
	return code;
}

static void put_head(const struct costs *costs, uint64_t total)
{
	const struct profile *profile = costs->profile;
	FILE *stream = costs->stream;

	fputs("# callgrind format\nversion: 1\ncreator: profrun " PROFRUN_VERSION "\n", stream);
	if (profile->process_count)
		fprintf(stream, "pid: %d\n", (int)profile->processes[0].pid);
	fputs("cmd:", stream);
	for (size_t i = 0; profile->command && profile->command[i]; i++) {
		putc(' ', stream);
		escape_write(profile->command[i], "", stream);
	}
	fprintf(stream,
		"\npart: 1\npositions: line\nevent: CPU : CPU time in nanoseconds\nevents: CPU\n"
		"summary: %" PRIu64 "\n",
		total);
}

static int write_costs(struct costs *costs)
{
	uint64_t total = 0;
	int code = 0;

	unite_costs(costs);
	for (size_t i = 0; i < costs->count; i++)
		total += costs->cost[i].to_function ? 0 : nanos_of(costs, costs->cost[i].millis);
	put_head(costs, total);
	for (size_t i = 0; i < costs->count && code == 0; i++)
		code = put_cost(costs, &costs->cost[i], i ? &costs->cost[i - 1] : NULL);
	fprintf(costs->stream, "\ntotals: %" PRIu64 "\n", total);
	return code;
}

int report_callgrind_write(const struct report *report, FILE *stream)
{
	struct costs costs = {
		.profile = report->profile,
		.names = string_pool_new(),
		.stream = stream,
	};
	struct stacks stacks;
	int code = stacks_build(report->profile, report->options, true, &stacks);

	if (!costs.names)
		code = -ENOMEM;
	for (size_t i = 0; i < stacks.count && code == 0; i++)
		code = add_stack(&costs, &stacks.stack[i]);
	if (code == 0)
		code = write_costs(&costs);
	stacks_done(&stacks);
	string_pool_free(costs.names);
	free(costs.cost);
	return code;
}
