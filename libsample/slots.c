/* SPDX-License-Identifier: MIT */
/* Thread records, in chunks that are never given back: a late signal may still name one. */

#include "libsample/slots.h"

#include <stddef.h>
#include <sys/mman.h>

#define CHUNK_SLOTS 512
#define CHUNKS	    1024 /* half a million threads at a time */

/* The value of a signal of ours: this in the upper half, the record's number in the lower one. */
#define VALUE_TAG UINT64_C(0x70726f6600000000)

static struct slot first_chunk[CHUNK_SLOTS];
static struct slot *_Atomic chunks[CHUNKS] = {first_chunk};
static _Atomic unsigned chunk_count = 1;
static _Atomic unsigned next_hint;

static struct slot *slot_at(unsigned number)
{
	return &atomic_load(&chunks[number / CHUNK_SLOTS])[number % CHUNK_SLOTS];
}

/* Adds a chunk, unless another thread just added that one. */
static int grow(unsigned count)
{
	struct slot *chunk, *expected = NULL;

	if (count >= CHUNKS)
		return -1;
	chunk = mmap(NULL, sizeof(first_chunk), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	if (chunk == MAP_FAILED)
		return -1;
	if (!atomic_compare_exchange_strong(&chunks[count], &expected, chunk))
		munmap(chunk, sizeof(first_chunk));
	atomic_compare_exchange_strong(&chunk_count, &count, count + 1);
	return 0;
}

struct slot *slots_claim(int tid)
{
	for (;;) {
		unsigned count = atomic_load(&chunk_count), total = count * CHUNK_SLOTS;
		unsigned start = atomic_fetch_add(&next_hint, 1);

		for (unsigned i = 0; i < total; i++) {
			unsigned number = (start + i) % total;
			struct slot *slot = slot_at(number);
			int expected = 0;

			if (!atomic_compare_exchange_strong(&slot->tid, &expected, tid))
				continue;
			slot->value = (void *)(uintptr_t)(VALUE_TAG | number);
			return slot;
		}
		if (grow(count) < 0)
			return NULL;
	}
}

struct slot *slots_from_value(const void *value)
{
	uint64_t bits = (uintptr_t)value;
	unsigned number = (unsigned)bits;

	if ((bits & ~UINT64_C(0xffffffff)) != VALUE_TAG ||
	    number >= atomic_load(&chunk_count) * CHUNK_SLOTS)
		return NULL;
	return slot_at(number);
}

struct slot *slots_find(int tid)
{
	unsigned total = atomic_load(&chunk_count) * CHUNK_SLOTS;

	for (unsigned i = 0; i < total; i++) {
		if (atomic_load_explicit(&slot_at(i)->tid, memory_order_relaxed) == tid)
			return slot_at(i);
	}
	return NULL;
}

void slots_each(void (*function)(struct slot *slot))
{
	unsigned total = atomic_load(&chunk_count) * CHUNK_SLOTS;

	for (unsigned i = 0; i < total; i++) {
		if (atomic_load(&slot_at(i)->tid) != 0)
			function(slot_at(i));
	}
}

void slots_release(struct slot *slot)
{
	atomic_store(&slot->tid, 0);
}

void slots_clear(void)
{
	slots_each(slots_release);
	atomic_store(&next_hint, 0);
}
