/* SPDX-License-Identifier: MIT */
/*
 * Counting in an image's histograms from outside, by the formula of profil(3). What the program
 * writes there meanwhile can only be a wrong count.
 */

#include <errno.h>
#include <sys/mman.h>

#include "cli/collect/slice.h"
#include "cli/collect/task_status.h"
#include "libsample/raw.h"

#define ENTRY_VALUES 65536

uint64_t slice_bucket_index(const struct arena_region *region, uint64_t pc)
{
	return (uint64_t)((unsigned __int128)((pc - region->start) / 2) * region->scale >> 16);
}

void *slice_map(struct slice *slice)
{
	if (!slice->memory)
		slice->memory = arena_file_map(slice->file, slice->offset, slice->length);
	return slice->memory;
}

static void add_ticks(struct arena_image *head, uint64_t weight)
{
	atomic_fetch_add_explicit(&head->ticks, weight, memory_order_relaxed);
	atomic_fetch_add_explicit(&head->squares, weight * weight, memory_order_relaxed);
}

int slice_tick(struct slice *slice, uint32_t index, uint64_t pc, uint64_t weight,
	       struct slice_bucket *ret_bucket, uint64_t *ret_carried)
{
	const struct arena_region *region = &slice->regions[index];
	uint64_t bucket = slice_bucket_index(region, pc), sum;
	struct arena_image *head;
	uint16_t *entry;

	if (bucket >= region->buckets_size / sizeof(*entry))
		return -ERANGE;
	head = slice_map(slice);
	if (!head)
		return -errno;
	entry = (uint16_t *)(void *)((char *)slice->memory + region->buckets) + bucket;
	sum = __atomic_load_n(entry, __ATOMIC_RELAXED) + weight;
	__atomic_store_n(entry, (uint16_t)sum, __ATOMIC_RELAXED);
	add_ticks(head, weight);
	*ret_bucket = slice_bucket_at(region, bucket, (uint16_t)sum);
	*ret_carried = sum / ENTRY_VALUES * ENTRY_VALUES;
	return 0;
}

int slice_tick_raw(struct slice *slice, uint64_t pc, uint64_t weight)
{
	struct arena_image *head = slice_map(slice);
	struct arena_raw *table;
	uint64_t key;

	if (!head)
		return -errno;
	table = (void *)((char *)slice->memory + slice->image->raw);
	key = ARENA_RAW_KEY(atomic_load_explicit(&head->epoch, memory_order_relaxed), pc);
	add_ticks(head, weight);
	atomic_fetch_add_explicit(&head->raw_ticks, 1, memory_order_relaxed);
	if (!raw_tick(table, ARENA_RAW_COUNT, &head->raw_used, key, weight))
		atomic_fetch_add_explicit(&head->outside, weight, memory_order_relaxed);
	return 0;
}

int slice_tick_outside(struct slice *slice, uint64_t weight)
{
	struct arena_image *head = slice_map(slice);

	if (!head)
		return -errno;
	add_ticks(head, weight);
	atomic_fetch_add_explicit(&head->outside, weight, memory_order_relaxed);
	return 0;
}

int slice_tick_blocked(struct slice *slice, uint64_t weight)
{
	struct arena_image *head = slice_map(slice);

	if (!head)
		return -errno;
	atomic_fetch_add_explicit(&head->ticks, weight, memory_order_relaxed);
	atomic_fetch_add_explicit(&head->squares, weight, memory_order_relaxed);
	atomic_fetch_add_explicit(&head->blocked, weight, memory_order_relaxed);
	return 0;
}

/* Nobody else adds threads where profrun ticks. */
static uint32_t add_thread(struct slice *slice, struct arena_image *head, pid_t tid)
{
	struct arena_thread *threads = (void *)((char *)slice->memory + slice->image->threads);
	uint32_t number = atomic_load(&head->thread_count);

	if (number >= ARENA_THREADS)
		return 0;
	atomic_store(&threads[number].tid, (uint32_t)tid);
	task_name_read((pid_t)slice->image->pid, tid, threads[number].name,
		       sizeof(threads[number].name));
	atomic_store(&head->thread_count, number + 1);
	return number + 1;
}

uint32_t slice_tick_thread(struct slice *slice, uint32_t number, pid_t tid, uint64_t pc,
			   uint64_t weight)
{
	struct arena_image *head = slice_map(slice);
	struct arena_raw *counts;

	if (!head || !slice->image->threads)
		return 0;
	if (number == 0)
		number = add_thread(slice, head, tid);
	if (number == 0)
		return 0;
	counts = (void *)((char *)slice->memory + slice->image->thread_counts);
	raw_tick(counts, ARENA_THREAD_COUNTS, NULL, ARENA_THREAD_KEY(number, pc), weight);
	return number;
}
