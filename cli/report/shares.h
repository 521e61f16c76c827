/* SPDX-License-Identifier: MIT */
/*
 * Divides a bucket's ticks among the functions that it covers: by overlap, in whole thousandths of
 * a tick, what rounding leaves going to the largest remainders, so that sums stay exact.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/profile/profile.h"

#define MILLIS 1000 /* thousandths in a tick */

struct share {
	const struct profile_frame *frame; /* NULL: unknown code */
	const struct profile_place *place; /* where the part starts; NULL: unknown code */
	uint64_t address;		   /* where in the bucket the function's part starts */
	uint64_t bytes;
	uint64_t millis; /* of ticks; 0 is possible */
};

/* Room that is used again from bucket to bucket; starts zeroed, shares_done() frees it. */
struct shares {
	struct share *share;
	size_t count, room;
	size_t *order;
	size_t order_room;
	bool estimated; /* several functions share the bucket */
	bool inlines;	/* inlined code is its own function, set by the caller */
};

/* Fills @shares for @entry; 0 or -ENOMEM. The profile must be named (places_find()). */
int shares_divide(struct shares *shares, const struct profile *profile,
		  const struct profile_entry *entry);
void shares_done(struct shares *shares);
