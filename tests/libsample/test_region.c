/* SPDX-License-Identifier: MIT */
/* The table of active histograms: many, overlapping, coming and going. */

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

#include "libsample/histogram.h"
#include "libsample/region.h"

#define COUNT 300 /* more than the table has room for at first */

static unsigned short bufs[COUNT][8];
static struct profil histograms[COUNT];

static void add(size_t i, size_t offset, size_t bufsiz)
{
	histogram_init(&histograms[i], bufs[i], bufsiz, offset, 0x10000);
	cr_assert(eq(int, region_add(&histograms[i]), 0));
}

Test(region, finds_each_of_many_added_in_any_order)
{
	for (size_t i = 0; i < COUNT; i++)
		add(i, 0x1000 + (i * 7 % COUNT) * 16, 16);
	cr_assert(eq(sz, region_count(), COUNT));
	for (size_t i = 0; i < COUNT; i++)
		cr_assert(region_tick(histograms[i].start + 15, 1));
	for (size_t i = 0; i < COUNT; i++)
		cr_assert(eq(u16, bufs[i][7], 1));
	cr_assert(not(region_tick(0x0fff, 1)));
	cr_assert(not(region_tick(0x1000 + COUNT * 16, 1)));
}

Test(region, counts_in_all_that_overlap)
{
	add(0, 0x1000, 16);
	add(1, 0x1008, 16);
	add(2, 0x1008, 4);
	add(3, 0x0f00, 2);
	cr_assert(region_tick(0x100a, 5));
	cr_assert(eq(u16, bufs[0][5], 5));
	cr_assert(eq(u16, bufs[1][1], 5));
	cr_assert(eq(u16, bufs[2][1], 5));
	cr_assert(eq(u16, bufs[3][0], 0));
}

Test(region, forgets_what_is_removed)
{
	for (size_t i = 0; i < COUNT; i++)
		add(i, 0x1000 + i * 16, 16);
	for (size_t i = 0; i < COUNT; i += 2)
		region_remove(&histograms[i]);
	for (size_t i = 0; i < COUNT; i++)
		cr_assert(eq(int, region_tick(histograms[i].start, 1), (int)(i % 2)));
	cr_assert(eq(sz, region_count(), COUNT / 2));
}

Test(region, ignores_histograms_without_entries)
{
	add(0, 0x1000, 1);
	cr_assert(not(region_tick(0x1000, 1)));
}
