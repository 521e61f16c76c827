/* SPDX-License-Identifier: MIT */
/*
 * Buckets and what threads counted are both sorted by the place in the image's memory and walked
 * once. A claim never gets more than its bucket has, whatever a damaged table says.
 */

#include "cli/collect/image_threads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/collect/thread_names.h"
#include "cli/grow.h"
#include "symbolize/util.h"

#define PC_MASK ((UINT64_C(1) << ARENA_PC_BITS) - 1)

struct claim {
	uint64_t pc, ticks;
	uint32_t number; /* of the thread */
};

struct splitting {
	struct image *image;
	struct profile *profile;
	struct claim *claims;
	size_t count, room;
	uint32_t *threads; /* by number: index + 1 in the profile, 0: not met yet */
	uint32_t thread_count;
};

int image_threads_visit(struct image *image)
{
	if (!image->slice->image->threads)
		return 0;
	if (!image->names)
		image->names = thread_names_new();
	return image->names ? thread_names_look(image->names, image_pid(image)) : -ENOMEM;
}

static int add_claim(uint32_t index, uint64_t key, uint64_t ticks, void *data)
{
	struct splitting *splitting = data;
	struct claim claim = {
		.pc = key & PC_MASK,
		.ticks = ticks,
		.number = (uint32_t)(key >> ARENA_PC_BITS),
	};

	(void)index;
	if (claim.number == 0 || claim.number > splitting->thread_count)
		return 0;
	if (!grow(&splitting->claims, splitting->count + 1, &splitting->room))
		return -ENOMEM;
	splitting->claims[splitting->count++] = claim;
	return 0;
}

static int compare_claims(const void *left, const void *right)
{
	const struct claim *a = left, *b = right;

	if (a->pc != b->pc)
		return a->pc < b->pc ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Where a count starts, as claims say it; those of no known place come last. */
static uint64_t start_of(const struct image_count *count)
{
	return count->pc == PC_NONE ? PC_NONE : count->pc & PC_MASK;
}

static int compare_counts(const void *left, const void *right)
{
	uint64_t a = start_of(left), b = start_of(right);

	return (a > b) - (a < b);
}

/* A thread that ended left its last name; one that was there at the end was seen from outside. */
static int64_t add_thread(struct image *image, struct profile *profile, uint32_t number)
{
	struct arena_thread record = {.tid = 0};
	struct profile_thread thread = {.process = image->process};
	const char *name;
	int64_t added;

	if (slice_read_thread(image->slice, number, &record) < 0)
		return 0;
	thread.tid = (pid_t)(atomic_load(&record.tid) & INT32_MAX);
	name = image->names && !record.ended ? thread_names_find(image->names, thread.tid) : NULL;
	thread.name = name ? name : record.name;
	added = profile_add_thread(profile, &thread);
	if (added > 0 && thread.tid == image_pid(image))
		image->first_thread = (uint32_t)added;
	return added;
}

int64_t image_first_thread(struct image *image, struct profile *profile)
{
	if (image->first_thread == 0 && slice_thread_count(image->slice) > 0)
		return add_thread(image, profile, 1);
	return image->first_thread;
}

/* Gives the thread of @claim as many ticks of the count at @index as there are. */
static int give(struct splitting *splitting, struct claim *claim, size_t index)
{
	struct image *image = splitting->image;
	uint64_t ticks = image->counts[index].entry.ticks;
	uint32_t *thread = &splitting->threads[claim->number];
	struct image_count part;
	int64_t added;

	if (ticks > claim->ticks)
		ticks = claim->ticks;
	if (ticks == 0)
		return 0;
	added = *thread ? *thread : add_thread(image, splitting->profile, claim->number);
	if (added < 0)
		return (int)added;
	*thread = (uint32_t)added;
	if (!grow(&image->counts, image->count + 1, &image->room))
		return -ENOMEM;
	part = image->counts[index];
	part.entry.ticks = ticks;
	part.entry.thread = *thread;
	image->counts[image->count++] = part;
	image->counts[index].entry.ticks -= ticks;
	claim->ticks -= ticks;
	return 0;
}

/* Walks @count counts, sorted, and the claims; parts are appended behind them. */
static int divide(struct splitting *splitting, size_t count)
{
	const struct image *image = splitting->image;
	size_t first = 0, nowhere = count;
	int r = 0;

	while (nowhere > 0 && image->counts[nowhere - 1].pc == PC_NONE)
		nowhere--;
	for (size_t i = 0; i < splitting->count; i++) {
		struct claim *claim = &splitting->claims[i];

		while (first < nowhere &&
		       start_of(&image->counts[first]) + image->counts[first].entry.size <=
			       claim->pc)
			first++;
		for (size_t j = first;
		     r == 0 && j < nowhere && start_of(&image->counts[j]) <= claim->pc; j++)
			r = give(splitting, claim, j);
		for (size_t j = nowhere; r == 0 && j < count; j++)
			r = give(splitting, claim, j);
		if (r < 0)
			return r;
	}
	return 0;
}

static int split(struct splitting *splitting)
{
	struct image *image = splitting->image;
	int r = slice_each_thread_count(image->slice, add_claim, splitting);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	if (splitting->count == 0 || image->count == 0)
		return 0;
	qsort(splitting->claims, splitting->count, sizeof(*splitting->claims), compare_claims);
	qsort(image->counts, image->count, sizeof(*image->counts), compare_counts);
	return divide(splitting, image->count);
}

int image_split_by_threads(struct image *image, struct profile *profile)
{
	struct splitting splitting = {
		.image = image,
		.profile = profile,
		.thread_count = slice_thread_count(image->slice),
	};
	int r;

	if (splitting.thread_count == 0)
		return 0;
	splitting.threads = calloc(splitting.thread_count + 1, sizeof(*splitting.threads));
	r = splitting.threads ? split(&splitting) : -ENOMEM;
	free(splitting.threads);
	free(splitting.claims);
	return r;
}
