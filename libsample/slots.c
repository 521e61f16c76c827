/* SPDX-License-Identifier: MIT */
/*
 * Thread records, in chunks that double in size and are never given back, since a late signal may
 * still name one. The first chunk is small: a forked child pays for every page of ours that it
 * writes to.
 */

#include "libsample/slots.h"

#include <stddef.h>

#include "libsample/sys.h"

#define FIRST_SLOTS 16u
#define CHUNKS	    16 /* half a million threads at a time */

/* The value of a signal of ours: this in the upper half, the record's number in the lower one. */
#define VALUE_TAG UINT64_C(0x70726f6600000000)

static struct slot first_chunk[FIRST_SLOTS];
static struct slot *_Atomic chunks[CHUNKS] = {first_chunk};
/* Records below this number have been used. */
static _Atomic unsigned used;
/* The list of free ones: number + 1 of the first below, a count of changes above, against ABA. */
static _Atomic uint64_t free_list;

/* Chunk k holds the numbers from FIRST_SLOTS * (2^k - 1) on, FIRST_SLOTS * 2^k of them. */
static unsigned chunk_of(unsigned number)
{
	return 31 - (unsigned)__builtin_clz(number / FIRST_SLOTS + 1);
}

static struct slot *slot_at(unsigned number)
{
	unsigned chunk = chunk_of(number);

	return &atomic_load(&chunks[chunk])[number - FIRST_SLOTS * ((1u << chunk) - 1)];
}

static int make_chunk(unsigned chunk)
{
	size_t size = (FIRST_SLOTS << chunk) * sizeof(struct slot);
	struct slot *memory, *expected = NULL;

	if (chunk >= CHUNKS)
		return -1;
	if (atomic_load(&chunks[chunk]))
		return 0;
	memory = sys_map(size);
	if (!memory)
		return -1;
	/* Another thread may have been faster. */
	if (!atomic_compare_exchange_strong(&chunks[chunk], &expected, memory))
		sys_call(SYS_munmap, memory, size);
	return 0;
}

static struct slot *take_free(void)
{
	uint64_t head = atomic_load(&free_list);

	while ((uint32_t)head != 0) {
		struct slot *slot = slot_at((uint32_t)head - 1);
		uint64_t next = ((head >> 32) + 1) << 32 | atomic_load(&slot->next_free);

		if (atomic_compare_exchange_weak(&free_list, &head, next))
			return slot;
	}
	return NULL;
}

static struct slot *take_new(void)
{
	unsigned number = atomic_load(&used);
	struct slot *slot;

	do {
		if (make_chunk(chunk_of(number)) < 0)
			return NULL;
	} while (!atomic_compare_exchange_weak(&used, &number, number + 1));
	slot = slot_at(number);
	slot->number = number;
	slot->value = (void *)(uintptr_t)(VALUE_TAG | number);
	return slot;
}

struct slot *slots_claim(int tid)
{
	struct slot *slot = take_free();

	if (!slot)
		slot = take_new();
	if (slot)
		atomic_store(&slot->tid, tid);
	return slot;
}

struct slot *slots_from_value(const void *value)
{
	uint64_t bits = (uintptr_t)value;
	unsigned number = (unsigned)bits;

	if ((bits & ~UINT64_C(0xffffffff)) != VALUE_TAG || number >= atomic_load(&used))
		return NULL;
	return slot_at(number);
}

struct slot *slots_find(int tid)
{
	unsigned count = atomic_load(&used);

	for (unsigned i = 0; i < count; i++) {
		if (atomic_load_explicit(&slot_at(i)->tid, memory_order_relaxed) == tid)
			return slot_at(i);
	}
	return NULL;
}

void slots_each(void (*function)(struct slot *slot))
{
	unsigned count = atomic_load(&used);

	for (unsigned i = 0; i < count; i++) {
		if (atomic_load(&slot_at(i)->tid) != 0)
			function(slot_at(i));
	}
}

void slots_release(struct slot *slot)
{
	uint64_t head = atomic_load(&free_list), next;

	atomic_store(&slot->tid, 0);
	do {
		atomic_store(&slot->next_free, (uint32_t)head);
		next = ((head >> 32) + 1) << 32 | (slot->number + 1);
	} while (!atomic_compare_exchange_weak(&free_list, &head, next));
}

void slots_clear(void)
{
	unsigned count = atomic_load(&used);

	for (unsigned i = 0; i < count; i++)
		atomic_store(&slot_at(i)->tid, 0);
	atomic_store(&used, 0);
	atomic_store(&free_list, 0);
}
