/* SPDX-License-Identifier: MIT */
/* Open addressing by pc. Nearby code hashes to the same page, so that a sparse table stays sparse.
 */

#include "libsample/raw.h"

#include "libsample/arena.h"

#define PROBES 128

static uint32_t start_of(uint64_t pc, uint32_t size)
{
	/* 4 KiB of code choose a page of the table by multiplication, the low bits a place in it.
	 */
	uint64_t page = (pc >> 12) * UINT64_C(0x9e3779b97f4a7c15) >> 40;

	return (uint32_t)((page << 8 | (pc >> 4 & 0xff)) % size);
}

bool raw_tick(struct arena_raw *table, uint32_t size, _Atomic uint32_t *used, uint64_t pc,
	      uint64_t weight)
{
	uint32_t start = start_of(pc, size);

	for (uint32_t i = 0; i < PROBES; i++) {
		struct arena_raw *entry = &table[(start + i) % size];
		uint64_t found = atomic_load_explicit(&entry->pc, memory_order_relaxed);

		if (found == 0 && atomic_compare_exchange_strong(&entry->pc, &found, pc)) {
			found = pc;
			if (used)
				atomic_fetch_add_explicit(used, 1, memory_order_release);
		}
		if (found != pc)
			continue;
		atomic_fetch_add_explicit(&entry->ticks, weight, memory_order_relaxed);
		return true;
	}
	return false;
}
