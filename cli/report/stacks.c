/* SPDX-License-Identifier: MIT */
/* A profile as chains of inlined functions. */

#include "cli/report/stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/report/labels.h"
#include "cli/report/shares.h"

struct building {
	const struct profile *profile;
	const struct options *options;
	struct stacks *stacks;
	uint64_t other; /* thousandths of ticks that --focus hides */
	bool lines;
};

static int compare_frames(const struct profile_frame *a, const struct profile_frame *b, bool lines)
{
	int order = string_pool_compare(a->file, b->file);

	if (order == 0)
		order = string_pool_compare(a->function, b->function);
	if (order == 0 && lines)
		order = (a->line > b->line) - (a->line < b->line);
	return order;
}

/* From the outermost part inwards, so that what starts alike stands together. */
static int compare_stacks(const void *left, const void *right, void *data)
{
	const struct stack *a = left, *b = right;
	uint32_t depth = a->frame_count < b->frame_count ? a->frame_count : b->frame_count;
	int order = string_pool_compare(a->process, b->process);

	if (order == 0)
		order = string_pool_compare(a->thread, b->thread);
	if (order == 0)
		order = string_pool_compare(a->path, b->path);
	for (uint32_t i = 1; i <= depth && order == 0; i++)
		order = compare_frames(&a->frames[a->frame_count - i],
				       &b->frames[b->frame_count - i], *(const bool *)data);
	if (order == 0)
		order = (a->frame_count > b->frame_count) - (a->frame_count < b->frame_count);
	return order ? order : string_pool_compare(a->label, b->label);
}

static void unite_stacks(struct building *building)
{
	struct stacks *stacks = building->stacks;
	size_t kept = 0;

	if (stacks->count == 0)
		return;
	qsort_r(stacks->stack, stacks->count, sizeof(*stacks->stack), compare_stacks,
		&building->lines);
	for (size_t i = 1; i < stacks->count; i++) {
		struct stack *last = &stacks->stack[kept], *next = &stacks->stack[i];

		if (compare_stacks(last, next, &building->lines) == 0)
			last->millis += next->millis;
		else
			stacks->stack[++kept] = *next;
	}
	stacks->count = kept + 1;
}

static int add_stack(struct building *building, const struct stack *stack)
{
	struct stacks *stacks = building->stacks;
	struct stack *last = stacks->count ? &stacks->stack[stacks->count - 1] : NULL;

	/* Buckets of one line come one after the other. */
	if (last && last->frames == stack->frames &&
	    compare_stacks(last, stack, &(bool){true}) == 0) {
		last->millis += stack->millis;
		return 0;
	}
	if (!grow(&stacks->stack, stacks->count + 1, &stacks->room))
		return -ENOMEM;
	stacks->stack[stacks->count++] = *stack;
	return 0;
}

static bool tells(const struct building *building, enum column column)
{
	return keys_tell(&building->options->by, column);
}

static int add_share(struct building *building, const struct profile_entry *entry,
		     const struct share *share)
{
	const struct profile *profile = building->profile;
	const struct profile_object *object = &profile->objects[entry->object];
	struct string_pool *strings = building->stacks->strings;
	bool special = object->kind == OBJECT_SPECIAL;
	const char *name = label_object(object, share);
	struct stack stack = {
		.process = "",
		.thread = "",
		.object = special ? "" : name,
		.path = object->path && share->frame ? object->path : name,
		.label = label_function(object, share, strings),
		.millis = share->millis,
	};

	if (!stack.label)
		return -ENOMEM;
	if (!label_in_focus(building->options, stack.label, stack.object)) {
		building->other += share->millis;
		return 0;
	}
	if (share->place) {
		uint32_t count = share->place->frame_count;

		stack.frames = &profile->frames[share->place->frame];
		stack.frame_count = count;
		if (!building->options->inlines) {
			stack.frames += count - 1;
			stack.frame_count = 1;
		}
	}
	if (tells(building, COLUMN_PROCESS))
		stack.process = label_process(profile, entry->process, strings);
	if (tells(building, COLUMN_THREAD))
		stack.thread = label_thread(profile, entry->thread, strings);
	return stack.process && stack.thread ? add_stack(building, &stack) : -ENOMEM;
}

static int add_entries(struct building *building)
{
	struct shares shares = {.inlines =
					building->profile->foreign || building->options->inlines};
	int code = 0;

	for (size_t i = 0; i < building->profile->entry_count && code == 0; i++) {
		const struct profile_entry *entry = &building->profile->entries[i];

		code = shares_divide(&shares, building->profile, entry);
		for (size_t j = 0; j < shares.count && code == 0; j++) {
			if (shares.share[j].millis)
				code = add_share(building, entry, &shares.share[j]);
		}
	}
	shares_done(&shares);
	return code;
}

int stacks_build(const struct profile *profile, const struct options *options, bool lines,
		 struct stacks *ret_stacks)
{
	struct building building = {
		.profile = profile,
		.options = options,
		.stacks = ret_stacks,
		.lines = lines,
	};
	int code;

	*ret_stacks = (struct stacks){.strings = string_pool_new(), .millis = 0};
	if (!ret_stacks->strings)
		return -ENOMEM;
	code = add_entries(&building);
	if (code == 0 && building.other)
		code = add_stack(&building, &(struct stack){
						    .process = "",
						    .thread = "",
						    .object = "",
						    .path = "",
						    .label = "[other]",
						    .millis = building.other,
					    });
	unite_stacks(&building);
	for (size_t i = 0; i < ret_stacks->count; i++)
		ret_stacks->millis += ret_stacks->stack[i].millis;
	return code;
}

void stacks_done(struct stacks *stacks)
{
	free(stacks->stack);
	string_pool_free(stacks->strings);
	*stacks = (struct stacks){.count = 0};
}
