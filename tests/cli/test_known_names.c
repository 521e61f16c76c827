/* SPDX-License-Identifier: MIT */
/* Names that are found bit by bit are those that are found at once. */

#include "cli/live/known_names.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/places.h"
#include "tests/cli/profile_maker.h"

#define AROUND	0x8000 /* bytes of code, before and behind a function of the C library */
#define BUCKETS 3000
#define STEPS	12

static uint64_t random_state = 20;

static uint64_t next_random(void)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return random_state >> 33;
}

static uint32_t add_libc(struct profile *profile, uint64_t *ret_address)
{
	struct profile_object object = {.kind = OBJECT_FILE, .name = "libc"};
	struct link_map *map;
	Dl_info info;

	cr_assert(dladdr1((void *)qsort, &info, (void **)&map, RTLD_DL_LINKMAP));
	object.path = map->l_name;
	*ret_address = (uintptr_t)qsort - map->l_addr;
	return (uint32_t)profile_add_object(profile, &object);
}

/* The first @count of a sequence of buckets of several sizes; objects stand in another order. */
static struct profile *make(size_t count)
{
	struct profile *profile = make_profile();
	uint64_t at;
	uint32_t libc;

	if (count % 2)
		make_object(profile, OBJECT_SPECIAL, "[signals blocked]");
	libc = add_libc(profile, &at);
	random_state = 20;
	for (size_t i = 0; i < count; i++) {
		uint64_t address = (at - AROUND + next_random() % (2 * AROUND)) & ~UINT64_C(1);

		make_entry(profile, libc, address, next_random() % 8 ? 2 : 1, 1, 0);
	}
	profile->named = false;
	return profile;
}

/* What @profile says of the byte at @address: nothing is "", alignment. */
static const struct profile_frame *frame_at(const struct profile *profile, uint32_t object,
					    uint64_t address)
{
	static const struct profile_frame none = {.function = ""};
	size_t count;
	const struct profile_place *place =
		places_overlap(profile, object, address, address + 1, &count);

	cr_assert_leq(count, 1, "places overlap");
	return count && place->frame_count ? &profile->frames[place->frame] : &none;
}

static void expect_same(const struct profile *expected, const struct profile *named)
{
	cr_assert_eq(expected->entry_count, named->entry_count);
	for (size_t i = 0; i < named->entry_count; i++) {
		const struct profile_entry *entry = &named->entries[i];
		const struct profile_frame *a =
			frame_at(expected, expected->entries[i].object, entry->address);
		const struct profile_frame *b = frame_at(named, entry->object, entry->address);

		cr_assert_str_eq(a->function, b->function, "at 0x%lx", (long)entry->address);
		cr_assert_eq(a->line, b->line, "at 0x%lx", (long)entry->address);
		cr_assert_eq(expected->entries[i].kernel, entry->kernel);
	}
}

static void compare(unsigned flags)
{
	struct known_names *names = known_names_new(flags, 0);
	struct error err;

	for (size_t step = 1; step <= STEPS; step++) {
		size_t count = BUCKETS * step / STEPS - step % 2;
		struct profile *bit_by_bit = make(count), *at_once = make(count);

		cr_assert_eq(known_names_find(names, bit_by_bit, &err), 0);
		cr_assert_eq(places_find(at_once, flags, false, &err), 0);
		expect_same(at_once, bit_by_bit);
		profile_free(bit_by_bit);
		profile_free(at_once);
	}
	known_names_free(names);
}

Test(known_names, functions_are_those_that_are_found_at_once)
{
	compare(0);
}

Test(known_names, lines_and_inlined_functions_are_too)
{
	compare(SYM_LINES | SYM_INLINES);
}

Test(known_names, what_a_perf_map_told_stays)
{
	struct known_names *names = known_names_new(0, 0);
	struct profile *profile = make(5);
	uint32_t jit = make_object(profile, OBJECT_JIT, "[jit]");
	struct error err;

	make_entry(profile, jit, 0x7000, 1, 3, 0);
	make_place(profile, jit, 0x7000, 0x7001, "made at run time");
	profile->named = false;
	cr_assert_eq(known_names_find(names, profile, &err), 0);
	cr_assert_str_eq(frame_at(profile, jit, 0x7000)->function, "made at run time");
	cr_assert(profile->named);
	profile_free(profile);
	known_names_free(names);
}

Test(known_names, an_object_that_cannot_be_read_has_none)
{
	struct known_names *names = known_names_new(0, 0);
	struct error err;

	for (int i = 0; i < 2; i++) {
		struct profile_object object = {
			.kind = OBJECT_FILE, .name = "x", .path = "/nowhere/x"};
		struct profile *profile = make_profile();
		uint32_t index = (uint32_t)profile_add_object(profile, &object);

		make_entry(profile, index, 0x1000, 2, 1, 0);
		cr_assert_eq(known_names_find(names, profile, &err), 0);
		cr_assert_str_eq(frame_at(profile, index, 0x1000)->function, "");
		profile_free(profile);
	}
	known_names_free(names);
}
