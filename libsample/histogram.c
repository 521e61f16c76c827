/* SPDX-License-Identifier: MIT */
/*
 * Counting in one histogram. The range is worked out when it is made, so that a tick needs one
 * multiplication and one compare-and-swap; 128 bits hold the product for any address and scale.
 */

#include "libsample/histogram.h"

#include <stdbool.h>

#define ENTRY_MAX 0xffffu

typedef unsigned __int128 wide;

void histogram_init(struct profil *histogram, unsigned short *buf, size_t bufsiz, size_t offset,
		    unsigned int scale)
{
	uint64_t entries = bufsiz / sizeof(*buf);
	wide end = UINTPTR_MAX;

	if (scale > 0)
		end = offset + 2 * (((wide)entries * 65536 + scale - 1) / scale);
	if (entries == 0)
		end = offset;
	histogram->start = offset;
	histogram->end = end > UINTPTR_MAX ? UINTPTR_MAX : (uintptr_t)end;
	histogram->buf = buf;
	histogram->entries = entries;
	histogram->scale = scale;
}

static bool carry_append(struct profil_carry *carry, uint64_t size, uint64_t index)
{
	uint64_t head = atomic_load_explicit(&carry->head, memory_order_relaxed);

	do {
		if (head - atomic_load_explicit(&carry->tail, memory_order_acquire) >= size)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(
		&carry->head, &head, head + 1, memory_order_relaxed, memory_order_relaxed));
	__atomic_store_n(&carry->entry[head % size], (uint32_t)index + 1, __ATOMIC_RELEASE);
	return true;
}

void histogram_count(struct profil *histogram, uintptr_t pc, uint64_t weight)
{
	uint64_t index = (uint64_t)(((wide)((pc - histogram->start) / 2) * histogram->scale) >> 16);
	unsigned short *entry = &histogram->buf[index];
	unsigned short old = __atomic_load_n(entry, __ATOMIC_RELAXED);
	unsigned short new;
	uint64_t sum, lost = 0;

	do {
		sum = old + weight;
		new = (unsigned short)(histogram->carry || sum <= ENTRY_MAX ? sum : ENTRY_MAX);
	} while (!__atomic_compare_exchange_n(entry, &old, new, true, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	if (sum <= ENTRY_MAX)
		return;
	if (!histogram->carry)
		lost = sum - ENTRY_MAX;
	for (uint64_t carries = histogram->carry ? sum >> 16 : 0; carries > 0; carries--)
		lost += carry_append(histogram->carry, histogram->carry_size, index)
				? 0
				: ENTRY_MAX + 1;
	__atomic_fetch_add(&histogram->saturated, lost, __ATOMIC_RELAXED);
}
