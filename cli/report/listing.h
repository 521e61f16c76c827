/* SPDX-License-Identifier: MIT */
/*
 * One function's ticks, piece by piece of its code: what `annotate` lists. Code that was inlined
 * into the function counts to the line where it was.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/profile/profile.h"
#include "symbolize/error.h"

/* A function that a name may mean: names alone do not tell functions apart. */
struct listing_candidate {
	const char *function;
	const char *file; /* NULL: not known */
	uint32_t object;
	uint64_t millis; /* with what was inlined into it */
};

struct listing_hit {
	uint64_t address; /* link-time */
	uint64_t size;
	unsigned line;			     /* of the function's own source, 0: not known */
	const struct profile_frame *inlined; /* what was inlined there, NULL: nothing */
	uint64_t millis;		     /* thousandths of ticks */
};

struct listing {
	struct listing_candidate of;
	struct listing_hit *hit; /* sorted by line, then by what was inlined, then by address */
	size_t count, room;
};

/*
 * The function that @name means: its whole name, or without parameters, or without namespaces;
 * behind "FILE:" or "OBJECT:" one of several of that name. Without @inlines code is of the function
 * that it was inlined into and nothing else. -ENOENT with *err when none has ticks.
 * Several: *ret_candidates, most ticks first, to be freed; else *ret_listing is filled and
 * *ret_candidate_count 1.
 */
int listing_find(const struct profile *profile, const char *name, bool inlines,
		 struct listing *ret_listing, struct listing_candidate **ret_candidates,
		 size_t *ret_candidate_count, struct error *err);
void listing_done(struct listing *listing);
