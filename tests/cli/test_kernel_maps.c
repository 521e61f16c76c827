/* SPDX-License-Identifier: MIT */
/* What a process has mapped, while mappings come in the place of others. */

#include "cli/ticks/kernel_maps.h"

#include <criterion/criterion.h>

static void add(struct kernel_maps **maps, uint64_t start, uint64_t end, uint32_t text)
{
	const struct kernel_mapping mapping = {.start = start,
					       .end = end,
					       .base = start,
					       .object = KERNEL_NONE,
					       .text = text,
					       .region = KERNEL_NONE};

	cr_assert_eq(kernel_maps_add(maps, &mapping), 0);
}

static void add_region(struct kernel_maps **maps, uint64_t start, uint64_t end, uint32_t region)
{
	const struct kernel_mapping mapping = {
		.start = start, .end = end, .base = start, .text = KERNEL_NONE, .region = region};

	cr_assert_eq(kernel_maps_add(maps, &mapping), 0);
}

static uint32_t text_at(struct kernel_maps *maps, uint64_t pc)
{
	const struct kernel_mapping *mapping = kernel_maps_find(maps, pc);

	return mapping ? mapping->text : KERNEL_NONE;
}

Test(kernel_maps, holds_what_lies_from_start_to_before_end)
{
	struct kernel_maps *maps = kernel_maps_new();

	add(&maps, 0x5000, 0x6000, 2);
	add(&maps, 0x1000, 0x2000, 1);
	cr_assert_eq(text_at(maps, 0xfff), KERNEL_NONE);
	cr_assert_eq(text_at(maps, 0x1000), 1);
	cr_assert_eq(text_at(maps, 0x1fff), 1);
	cr_assert_eq(text_at(maps, 0x2000), KERNEL_NONE);
	cr_assert_eq(text_at(maps, 0x5000), 2);
	cr_assert_eq(text_at(maps, UINT64_MAX), KERNEL_NONE);
	kernel_maps_release(maps);
}

Test(kernel_maps, a_new_one_divides_the_one_around_it)
{
	struct kernel_maps *maps = kernel_maps_new();

	add(&maps, 0x1000, 0x9000, 1);
	add(&maps, 0x3000, 0x5000, 2);
	cr_assert_eq(text_at(maps, 0x2fff), 1);
	cr_assert_eq(text_at(maps, 0x3000), 2);
	cr_assert_eq(text_at(maps, 0x4fff), 2);
	cr_assert_eq(text_at(maps, 0x5000), 1);
	cr_assert_eq(text_at(maps, 0x8fff), 1);
	cr_assert_eq(kernel_maps_find(maps, 0x8fff)->base, 0x1000, "addresses count from there");
	kernel_maps_release(maps);
}

Test(kernel_maps, a_new_one_takes_the_place_of_all_that_it_covers)
{
	struct kernel_maps *maps = kernel_maps_new();

	add(&maps, 0x1000, 0x3000, 1);
	add(&maps, 0x3000, 0x4000, 2);
	add(&maps, 0x5000, 0x8000, 3);
	add(&maps, 0x2000, 0x6000, 4);
	cr_assert_eq(text_at(maps, 0x1fff), 1);
	cr_assert_eq(text_at(maps, 0x2000), 4);
	cr_assert_eq(text_at(maps, 0x3800), 4);
	cr_assert_eq(text_at(maps, 0x5fff), 4);
	cr_assert_eq(text_at(maps, 0x6000), 3);
	kernel_maps_release(maps);
}

Test(kernel_maps, a_child_does_not_see_what_its_parent_maps_later)
{
	struct kernel_maps *parent = kernel_maps_new(), *child;

	add(&parent, 0x1000, 0x2000, 1);
	child = kernel_maps_share(parent);
	add(&parent, 0x1000, 0x2000, 2);
	cr_assert_eq(text_at(parent, 0x1000), 2);
	cr_assert_eq(text_at(child, 0x1000), 1);
	add(&child, 0x3000, 0x4000, 3);
	cr_assert_eq(text_at(parent, 0x3000), KERNEL_NONE);
	kernel_maps_release(parent);
	cr_assert_eq(text_at(child, 0x1000), 1);
	kernel_maps_release(child);
}

Test(kernel_maps, text_that_moves_to_other_memory_stays_its_region)
{
	struct kernel_maps *maps = kernel_maps_new();

	add(&maps, 0x1000, 0x9000, 1);
	add_region(&maps, 0x1000, 0x8765, 5);
	add(&maps, 0x2000, 0x4000, KERNEL_NONE);
	cr_assert_eq(kernel_maps_find(maps, 0x3000)->region, 5);
	add(&maps, 0x2000, 0x4000, 7);
	cr_assert_eq(text_at(maps, 0x3000), 7, "another file is something else");
	cr_assert_eq(kernel_maps_find(maps, 0x8000)->region, 5);
	kernel_maps_release(maps);
}
