/* SPDX-License-Identifier: MIT */
/* Which function a name means. */

#include "cli/report/listing.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>

#include "tests/cli/profile_maker.h"

static struct profile *profile;
static struct listing listing;
static struct listing_candidate *candidates;
static size_t count;

static void set_up(void)
{
	static const char *const names[] = {
		"ns::work(int)", "work", "work_more", "ns::Map<int, long>::at(int) const",
		"other::run()",	 "run",	 "main.hot",  "-[Box put:in:]",
	};
	uint32_t object;

	profile = make_profile();
	object = make_object(profile, OBJECT_FILE, "app");
	for (uint64_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		make_entry(profile, object, 0x1000 + 16 * i, 2, 10 + i, 0);
		make_place(profile, object, 0x1000 + 16 * i, 0x1010 + 16 * i, names[i]);
	}
}

static void tear_down(void)
{
	listing_done(&listing);
	free(candidates);
	profile_free(profile);
}

TestSuite(listing, .init = set_up, .fini = tear_down);

static int find(const char *name)
{
	struct error err;

	free(candidates);
	candidates = NULL;
	listing_done(&listing);
	return listing_find(profile, name, true, &listing, &candidates, &count, &err);
}

static void expect(const char *name, const char *function)
{
	cr_assert_eq(find(name), 0);
	cr_assert_eq(count, 1, "%s", name);
	cr_assert_eq(listing.count, 1);
	cr_assert_str_eq(listing.of.function, function);
}

Test(listing, a_colon_may_be_of_the_name)
{
	expect("-[Box put:in:]", "-[Box put:in:]");
	expect("app:run", "run");
}

Test(listing, the_whole_name_goes_before_a_part)
{
	expect("work", "work");
	expect("run", "run");
	expect("ns::work(int)", "ns::work(int)");
}

Test(listing, parameters_and_namespaces_may_be_left_out)
{
	expect("ns::work", "ns::work(int)");
	expect("at", "ns::Map<int, long>::at(int) const");
	expect("other::run", "other::run()");
	expect("hot", "main.hot");
}

Test(listing, the_object_tells_functions_apart)
{
	expect("app:work", "work");
	cr_assert_eq(find("lib:work"), -ENOENT);
}

Test(listing, a_part_of_names_lists_them_and_chooses_none)
{
	cr_assert_eq(find("wor"), 0);
	cr_assert_eq(count, 3);
	cr_assert_eq(listing.count, 0);
	cr_assert_str_eq(candidates[0].function, "work_more");
}

Test(listing, what_has_no_ticks_is_not_there)
{
	cr_assert_eq(find("sleep"), -ENOENT);
}
