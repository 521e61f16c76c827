/* SPDX-License-Identifier: MIT */
/* Buckets divided among functions: exact sums, the largest remainders, alignment. */

#include "cli/report/shares.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/cli/profile_maker.h"

static struct profile *profile;
static struct shares shares;

static void make(void)
{
	profile = make_profile();
	make_object(profile, OBJECT_FILE, "app");
}

static void drop(void)
{
	shares_done(&shares);
	profile_free(profile);
}

TestSuite(shares, .init = make, .fini = drop);

static void divide(uint64_t address, uint64_t size, uint64_t ticks)
{
	struct profile_entry entry = {.address = address, .size = size, .ticks = ticks};
	uint64_t sum = 0;

	cr_assert_eq(shares_divide(&shares, profile, &entry), 0);
	for (size_t i = 0; i < shares.count; i++)
		sum += shares.share[i].millis;
	cr_assert_eq(sum, ticks * 1000);
}

Test(shares, a_bucket_within_a_function_is_its)
{
	make_place(profile, 0, 0x100, 0x200, "f");
	divide(0x110, 2, 7);
	cr_assert_eq(shares.count, 1);
	cr_assert_str_eq(shares.share[0].frame->function, "f");
	cr_assert_not(shares.estimated);
}

Test(shares, alignment_gets_nothing)
{
	make_place(profile, 0, 0x100, 0x1f5, "f");
	make_place(profile, 0, 0x200, 0x300, "g");
	divide(0x1f4, 2, 7);
	cr_assert_eq(shares.count, 1);
	cr_assert_not(shares.estimated);
	divide(0x1f0, 0x20, 21);
	cr_assert_eq(shares.count, 2);
	cr_assert_eq(shares.share[0].millis, 5000);
	cr_assert_eq(shares.share[1].millis, 16000);
	cr_assert(shares.estimated);
}

Test(shares, code_that_nothing_covers_is_unknown)
{
	make_place(profile, 0, 0x100, 0x200, "f");
	divide(0x300, 2, 7);
	cr_assert_eq(shares.count, 1);
	cr_assert_null(shares.share[0].frame);
	cr_assert_eq(shares.share[0].address, 0x300);
}

Test(shares, unknown_code_has_a_share_of_its_own)
{
	make_place(profile, 0, 0x100, 0x110, "f");
	make_place(profile, 0, 0x110, 0x200, NULL);
	divide(0x108, 0x10, 1);
	cr_assert_eq(shares.count, 2);
	cr_assert_null(shares.share[1].frame);
	cr_assert_eq(shares.share[1].address, 0x110);
	cr_assert_eq(shares.share[1].millis, 500);
	cr_assert(shares.estimated);
}

Test(shares, the_largest_remainders_get_what_rounding_leaves)
{
	make_place(profile, 0, 0, 1, "a");
	make_place(profile, 0, 1, 3, "b");
	make_place(profile, 0, 3, 7, "c");
	/* 1000/7 = 142.86, 285.71, 571.43: two are left, for a and b. */
	divide(0, 7, 1);
	cr_assert_eq(shares.share[0].millis, 143);
	cr_assert_eq(shares.share[1].millis, 286);
	cr_assert_eq(shares.share[2].millis, 571);
}

Test(shares, equal_remainders_go_to_the_lower_address)
{
	make_place(profile, 0, 0, 1, "a");
	make_place(profile, 0, 1, 2, "b");
	make_place(profile, 0, 2, 3, "c");
	divide(0, 3, 1);
	cr_assert_eq(shares.share[0].millis, 334);
	cr_assert_eq(shares.share[1].millis, 333);
	cr_assert_eq(shares.share[2].millis, 333);
}

Test(shares, two_pieces_of_one_function_are_no_estimate)
{
	make_place(profile, 0, 0x100, 0x101, "f");
	make_place(profile, 0, 0x101, 0x110, "f");
	divide(0x100, 2, 5);
	cr_assert_eq(shares.count, 1);
	cr_assert_not(shares.estimated);
}

Test(shares, sums_stay_exact_for_huge_counts_and_many_functions)
{
	for (uint64_t i = 0; i < 1000; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%d", (int)i);
		make_place(profile, 0, i * 37, i * 37 + 37, name);
	}
	divide(5, 36000, 1000000000000);
	cr_assert_eq(shares.count, 974);
	divide(5, 36000, 1);
}
