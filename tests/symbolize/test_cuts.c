/* SPDX-License-Identifier: MIT */
/* Where functions begin and end inside of ranges. */

#include "symbolize/cuts.h"

#include <criterion/criterion.h>

#include "symbolize/util.h"

static const struct sym_range ranges[] = {{0x100, 0x110}, {0x110, 0x120}, {0x200, 0x300}};

static void add(struct cuts *cuts, const char *name, uint64_t start, uint64_t end)
{
	const struct symbol symbol = {
		.start = start, .end = end, .limit = 0x1000, .name = name, .type = STT_NOTYPE};

	cr_assert_eq(cuts_add_symbol(cuts, &symbol), 0);
}

static void expect_cuts(struct cuts *cuts, const uint64_t *expected, size_t count)
{
	cuts_sort(cuts);
	cr_assert_eq(cuts->count, count, "%zu", cuts->count);
	for (size_t i = 0; i < count; i++)
		cr_expect_eq(cuts->addresses[i], expected[i]);
	cuts_done(cuts);
}

Test(cuts, are_strictly_inside)
{
	struct cuts cuts;

	cuts_init(&cuts, ranges, ARRAY_SIZE(ranges));
	add(&cuts, "a", 0xf0, 0x108);
	add(&cuts, "b", 0x108, 0x110);
	add(&cuts, "c", 0x110, 0x200);
	add(&cuts, "d", 0x300, 0x400);
	expect_cuts(&cuts, (const uint64_t[]){0x108}, 1);
}

Test(cuts, come_sorted_and_once)
{
	struct cuts cuts;

	cuts_init(&cuts, ranges, ARRAY_SIZE(ranges));
	add(&cuts, "late", 0x280, 0x2f0);
	add(&cuts, "long", 0x104, 0x280);
	add(&cuts, "early", 0x104, 0x118);
	expect_cuts(&cuts, (const uint64_t[]){0x104, 0x118, 0x280, 0x2f0}, 4);
}

Test(cuts, symbols_without_size_cut_but_marks_do_not)
{
	struct cuts cuts;

	cuts_init(&cuts, ranges, ARRAY_SIZE(ranges));
	add(&cuts, "hand_written", 0x210, 0x210);
	add(&cuts, ".L1", 0x220, 0x220);
	add(&cuts, "$d", 0x230, 0x230);
	expect_cuts(&cuts, (const uint64_t[]){0x210}, 1);
}

Test(cuts, none_are_found_in_no_ranges)
{
	struct cuts cuts;

	cuts_init(&cuts, NULL, 0);
	add(&cuts, "a", 0x100, 0x200);
	expect_cuts(&cuts, NULL, 0);
}

Test(cuts, the_end_of_a_function_may_be_many_ranges_away)
{
	struct sym_range many[100];
	struct cuts cuts;

	for (size_t i = 0; i < ARRAY_SIZE(many); i++)
		many[i] = (struct sym_range){0x1000 + 16 * i, 0x1000 + 16 * i + 8};
	cuts_init(&cuts, many, ARRAY_SIZE(many));
	add(&cuts, "long", 0x1004, 0x1000 + 16 * 90 + 4);
	expect_cuts(&cuts, (const uint64_t[]){0x1004, 0x1000 + 16 * 90 + 4}, 2);
}
