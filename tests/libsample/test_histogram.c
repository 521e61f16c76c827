/* SPDX-License-Identifier: MIT */
/* profil(3)'s arithmetic against a plain model of it, and entries that wrap. */

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <limits.h>
#include <stdlib.h>

#include "libsample/histogram.h"

static const unsigned scales[] = {0,	  1,	   2,	    3,	   0x200,   0x1000,  0x7fff,
				  0x8000, 0x10000, 0x10001, 65539, 0x20000, UINT_MAX};

/* The entry of @pc as profil(3) and glibc define it; ULONG_MAX when there is none. */
static size_t expected_entry(size_t bufsiz, size_t offset, unsigned scale, size_t pc)
{
	unsigned __int128 index = (unsigned __int128)((pc - offset) / 2) * scale / 65536;

	return pc < offset || index >= bufsiz / 2 ? ULONG_MAX : (size_t)index;
}

static void check(size_t bufsiz, size_t offset, unsigned scale, size_t pc)
{
	unsigned short buf[64] = {0};
	struct profil histogram = {0};
	size_t entry = expected_entry(bufsiz, offset, scale, pc);

	histogram_init(&histogram, buf, bufsiz, offset, scale);
	cr_assert_eq(pc >= histogram.start && pc < histogram.end, entry != ULONG_MAX,
		     "bufsiz %zu offset %zx scale %x pc %zx", bufsiz, offset, scale, pc);
	if (entry == ULONG_MAX)
		return;
	histogram_count(&histogram, pc, 1);
	cr_assert_eq(buf[entry], 1, "bufsiz %zu offset %zx scale %x pc %zx: not entry %zu", bufsiz,
		     offset, scale, pc, entry);
}

Test(histogram, counts_where_the_formula_says_for_every_scale_and_size)
{
	static const size_t sizes[] = {0, 1, 2, 3, 4, 7, 64, 127, 128};
	static const size_t distances[] = {0,	    1,	     2,	       3,	  31,	    63,
					   64,	    65,	     127,      128,	  129,	    0x1ffff,
					   0x20000, 0x20001, 1u << 22, 1ul << 33, 1ul << 46};

	for (size_t i = 0; i < sizeof(scales) / sizeof(*scales); i++)
		for (size_t j = 0; j < sizeof(sizes) / sizeof(*sizes); j++)
			for (size_t k = 0; k < sizeof(distances) / sizeof(*distances); k++)
				check(sizes[j], 0x401000, scales[i], 0x401000 + distances[k]);
}

Test(histogram, never_counts_below_its_offset)
{
	for (size_t i = 0; i < sizeof(scales) / sizeof(*scales); i++) {
		check(128, 0x401000, scales[i], 0x400fff);
		check(128, 0x401000, scales[i], 1);
	}
}

Test(histogram, holds_at_the_ends_of_the_address_space)
{
	for (size_t i = 0; i < sizeof(scales) / sizeof(*scales); i++) {
		check(128, 0, scales[i], ULONG_MAX - 1);
		check(128, ULONG_MAX - 64, scales[i], ULONG_MAX - 1);
		check(128, 1, scales[i], 1);
	}
}

Test(histogram, last_bucket_counts_and_next_does_not)
{
	unsigned short buf[4] = {0};
	struct profil histogram = {0};

	histogram_init(&histogram, buf, sizeof(buf), 0x1000, 0x8000);
	cr_assert(eq(ulong, histogram.end, 0x1000 + 4 * 4));
	histogram_count(&histogram, histogram.end - 1, 1);
	cr_assert(eq(u16, buf[3], 1));
}

Test(histogram, saturates_without_a_carry_list)
{
	unsigned short buf[1] = {0};
	struct profil histogram = {0};

	histogram_init(&histogram, buf, sizeof(buf), 0, 0x10000);
	for (int i = 0; i < 70000; i++)
		histogram_count(&histogram, 0, 1);
	cr_assert(eq(u16, buf[0], 65535));
	cr_assert(eq(u64, histogram.saturated, 70000 - 65535));
}

Test(histogram, carries_what_wraps_and_stays_exact)
{
	static const uint64_t weights[] = {1, 2, 7, 65535, 65536, 200001};
	struct profil_carry *carry = calloc(1, sizeof(*carry) + 64 * sizeof(uint32_t));
	unsigned short buf[3] = {0};
	struct profil histogram = {.carry = carry, .carry_size = 64};
	uint64_t total = 0, counted;

	histogram_init(&histogram, buf, sizeof(buf), 0, 0x10000);
	for (int i = 0; i < 66; i++) {
		total += weights[i % 6];
		histogram_count(&histogram, 4, weights[i % 6]);
		/* A reader takes entries out while others come. */
		for (; carry->tail < carry->head; carry->tail++)
			cr_assert(eq(u32, carry->entry[carry->tail % 64], 2 + 1));
	}
	counted = buf[2] + 65536 * (uint64_t)carry->head;
	cr_assert(eq(u64, counted, total));
	cr_assert(eq(u64, histogram.saturated, 0));
	free(carry);
}

Test(histogram, says_what_a_full_carry_list_lost)
{
	struct profil_carry *carry = calloc(1, sizeof(*carry) + 2 * sizeof(uint32_t));
	unsigned short buf[1] = {0};
	struct profil histogram = {.carry = carry, .carry_size = 2};

	histogram_init(&histogram, buf, sizeof(buf), 0, 0x10000);
	histogram_count(&histogram, 0, 5 * 65536 + 3);
	cr_assert(eq(u64, carry->head, 2));
	cr_assert(eq(u64, histogram.saturated, 3 * 65536));
	cr_assert(eq(u16, buf[0], 3));
	free(carry);
}
