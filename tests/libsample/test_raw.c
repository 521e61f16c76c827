/* SPDX-License-Identifier: MIT */
/* The table of program counters outside of every histogram. */

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "libsample/arena.h"
#include "libsample/raw.h"

static struct arena_raw table[ARENA_RAW_COUNT];
static _Atomic uint32_t used;

static uint64_t sum(void)
{
	uint64_t total = 0;

	for (size_t i = 0; i < ARENA_RAW_COUNT; i++)
		total += table[i].ticks;
	return total;
}

Test(raw, adds_up_what_falls_on_one_pc)
{
	for (int i = 0; i < 1000; i++)
		cr_assert(raw_tick(table, ARENA_RAW_COUNT, &used, 0x7f0000001234, 3));
	cr_assert(eq(u32, used, 1));
	cr_assert(eq(u64, sum(), 3000));
}

Test(raw, keeps_thousands_of_places_apart)
{
	for (uint64_t i = 0; i < 8000; i++)
		cr_assert(raw_tick(table, ARENA_RAW_COUNT, &used, 0x7f0000000000 + i * 37, 1));
	cr_assert(eq(u32, used, 8000));
	cr_assert(eq(u64, sum(), 8000));
}

Test(raw, says_no_when_it_is_full_and_loses_nothing)
{
	uint64_t kept = 0;

	for (uint64_t i = 0; i < 100000; i++)
		kept += raw_tick(table, ARENA_RAW_COUNT, &used, 0x10000 + i * 5, 1);
	cr_assert(lt(u64, kept, 100000));
	cr_assert(eq(u64, sum(), kept));
}
