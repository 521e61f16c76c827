/* SPDX-License-Identifier: MIT */
/*
 * Counting in an image's histograms from outside, by the formula of profil(3). What the program
 * writes there meanwhile can only be a wrong count.
 */

#include <errno.h>
#include <sys/mman.h>

#include "cli/collect/slice.h"

#define ENTRY_VALUES 65536

uint64_t slice_bucket_index(const struct arena_region *region, uint64_t pc)
{
	return (uint64_t)((unsigned __int128)((pc - region->start) / 2) * region->scale >> 16);
}

static int map(struct slice *slice)
{
	void *memory;

	if (slice->memory)
		return 0;
	memory = arena_file_map(slice->file, slice->offset, slice->length);
	if (!memory)
		return -errno;
	slice->memory = memory;
	return 0;
}

int slice_tick(struct slice *slice, uint32_t index, uint64_t pc, uint64_t weight,
	       struct slice_bucket *ret_bucket, uint64_t *ret_carried)
{
	const struct arena_region *region = &slice->regions[index];
	uint64_t bucket = slice_bucket_index(region, pc), sum;
	struct arena_image *head;
	uint16_t *entry;
	int r;

	if (bucket >= region->buckets_size / sizeof(*entry))
		return -ERANGE;
	r = map(slice);
	if (r < 0)
		return r;
	head = slice->memory;
	entry = (uint16_t *)(void *)((char *)slice->memory + region->buckets) + bucket;
	sum = __atomic_load_n(entry, __ATOMIC_RELAXED) + weight;
	__atomic_store_n(entry, (uint16_t)sum, __ATOMIC_RELAXED);
	atomic_fetch_add_explicit(&head->ticks, weight, memory_order_relaxed);
	atomic_fetch_add_explicit(&head->squares, weight * weight, memory_order_relaxed);
	*ret_bucket = slice_bucket_at(region, bucket, (uint16_t)sum);
	*ret_carried = sum / ENTRY_VALUES * ENTRY_VALUES;
	return 0;
}
