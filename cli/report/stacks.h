/* SPDX-License-Identifier: MIT */
/*
 * A profile as chains of inlined functions: the function that the symbol table knows, what was
 * inlined into it, and so on down to the code that had the ticks. Formats that show the chain
 * write these.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/options.h"
#include "cli/profile/profile.h"

/* Strings are of the profile, of the stacks or static, and never NULL unless said so. */
struct stack {
	const char *process; /* "" unless a key tells it */
	const char *thread;  /* likewise */
	const char *object;  /* "" of rows that are no code */
	const char *path;    /* the object's file, or its name */
	/* Innermost first; NULL where there is no name, and .label is one made up. */
	const struct profile_frame *frames;
	uint32_t frame_count;
	const char *label;
	uint64_t millis;
};

struct stacks {
	struct stack *stack; /* those that start alike, from the object on, stand together */
	size_t count, room;
	uint64_t millis; /* of all */
	struct string_pool *strings;
};

/*
 * By @options: keys process and thread, --focus (the rest is the stack "[other]"), --no-inlines.
 * Chains whose frames differ in nothing but lines are one unless @lines. 0 or -ENOMEM; the profile
 * must be named and outlive the stacks; stacks_done() in any case.
 */
int stacks_build(const struct profile *profile, const struct options *options, bool lines,
		 struct stacks *ret_stacks);
void stacks_done(struct stacks *stacks);
