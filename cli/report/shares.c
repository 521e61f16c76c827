/* SPDX-License-Identifier: MIT */
/* Divides a bucket's ticks among the functions that it covers. */

#include "cli/report/shares.h"

#include <errno.h>
#include <stdlib.h>

#include "cli/grow.h"
#include "cli/report/places.h"

typedef unsigned __int128 wide;

/* Whether code at @address goes on what @last holds: the same function, or unknown as well. */
static bool goes_on(const struct share *last, const struct profile_frame *frame, uint64_t address)
{
	if (!frame || !last->frame)
		return frame == last->frame && address == last->address + last->bytes;
	return frame->function == last->frame->function;
}

static int add_share(struct shares *shares, const struct profile_frame *frame,
		     const struct profile_place *place, uint64_t address, uint64_t bytes)
{
	struct share *last = shares->count ? &shares->share[shares->count - 1] : NULL;

	if (last && goes_on(last, frame, address)) {
		last->bytes += bytes;
		return 0;
	}
	if (!grow(&shares->share, shares->count + 1, &shares->room))
		return -ENOMEM;
	shares->estimated = shares->count > 0;
	shares->share[shares->count++] = (struct share){
		.frame = frame,
		.place = frame ? place : NULL,
		.address = address,
		.bytes = bytes,
	};
	return 0;
}

/* The function that the time of @place goes to: the innermost, or what all was inlined into. */
static const struct profile_frame *frame_of(const struct profile *profile,
					    const struct profile_place *place, bool inlines)
{
	if (place->frame_count == 0)
		return NULL;
	return &profile->frames[place->frame + (inlines ? 0 : place->frame_count - 1)];
}

static int add_places(struct shares *shares, const struct profile *profile,
		      const struct profile_entry *entry, uint64_t end)
{
	size_t count;
	const struct profile_place *places =
		places_overlap(profile, entry->object, entry->address, end, &count);

	for (size_t i = 0; i < count; i++) {
		uint64_t from = places[i].start > entry->address ? places[i].start : entry->address;
		uint64_t to = places[i].end < end ? places[i].end : end;
		const struct profile_frame *frame = frame_of(profile, &places[i], shares->inlines);

		if (add_share(shares, frame, &places[i], from, to - from) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* The thousandths that @millis x @bytes / @all leaves over, in @all-ths. */
static wide remainder_of(uint64_t millis, uint64_t bytes, uint64_t all)
{
	return (wide)millis * bytes % all;
}

struct rounding {
	const struct shares *shares;
	uint64_t millis, all;
};

/* Larger remainders first; the lower address wins a tie. */
static int compare_remainders(const void *left, const void *right, void *data)
{
	const struct rounding *rounding = data;
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	wide of_a = remainder_of(rounding->millis, rounding->shares->share[a].bytes, rounding->all);
	wide of_b = remainder_of(rounding->millis, rounding->shares->share[b].bytes, rounding->all);

	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return (a > b) - (a < b);
}

static int divide_millis(struct shares *shares, uint64_t millis)
{
	struct rounding rounding = {.shares = shares, .millis = millis};
	uint64_t left = millis;

	if (!grow(&shares->order, shares->count, &shares->order_room))
		return -ENOMEM;
	for (size_t i = 0; i < shares->count; i++)
		rounding.all += shares->share[i].bytes;
	for (size_t i = 0; i < shares->count; i++) {
		struct share *share = &shares->share[i];

		shares->order[i] = i;
		share->millis = (uint64_t)((wide)millis * share->bytes / rounding.all);
		left -= share->millis;
	}
	qsort_r(shares->order, shares->count, sizeof(*shares->order), compare_remainders,
		&rounding);
	for (size_t i = 0; i < left; i++)
		shares->share[shares->order[i]].millis++;
	return 0;
}

int shares_divide(struct shares *shares, const struct profile *profile,
		  const struct profile_entry *entry)
{
	uint64_t millis = entry->ticks * MILLIS;
	uint64_t end = entry->size > UINT64_MAX - entry->address ? UINT64_MAX
								 : entry->address + entry->size;

	shares->count = 0;
	shares->estimated = false;
	if (add_places(shares, profile, entry, end) < 0)
		return -ENOMEM;
	if (shares->count == 0 && add_share(shares, NULL, NULL, entry->address, 1) < 0)
		return -ENOMEM;
	if (shares->count > 1)
		return divide_millis(shares, millis);
	shares->share[0].millis = millis;
	return 0;
}

void shares_done(struct shares *shares)
{
	free(shares->share);
	free(shares->order);
	*shares = (struct shares){.count = 0};
}
