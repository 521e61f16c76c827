/* SPDX-License-Identifier: MIT */
/* Rows of two profiles: which are the same, and which have changed. */

#include "cli/report/diff.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/profile_maker.h"

static struct profile *side[DIFF_SIDES];
static struct options options;
static struct diff diff;

static void set_up(void)
{
	side[DIFF_OLD] = make_profile();
	side[DIFF_NEW] = make_profile();
	make_options(&options, "");
}

static void tear_down(void)
{
	diff_done(&diff);
	options_done(&options);
	profile_free(side[DIFF_OLD]);
	profile_free(side[DIFF_NEW]);
}

TestSuite(diff, .init = set_up, .fini = tear_down);

/* A function of 16 bytes with ticks; functions are added by rising addresses. */
static void add(enum diff_side which, uint32_t object, uint64_t address, const char *function,
		uint64_t ticks)
{
	make_entry(side[which], object, address, 2, ticks, 0);
	make_place(side[which], object, address, address + 16, function);
}

static void compare(void)
{
	struct error err;

	for (enum diff_side i = DIFF_OLD; i < DIFF_SIDES; i++)
		cr_assert_geq(profile_add_process(side[i], &(struct profile_process){.pid = 1}), 0);
	cr_assert_eq(diff_build(side[DIFF_OLD], side[DIFF_NEW], &options, &diff, &err), 0);
}

static const struct diff_row *find(const char *function)
{
	for (size_t i = 0; i < diff.count; i++) {
		if (strcmp(diff.row[i].row.function, function) == 0)
			return &diff.row[i];
	}
	cr_assert_fail("no row %s", function);
	return NULL;
}

Test(diff, addresses_do_not_matter)
{
	uint32_t old = make_object(side[DIFF_OLD], OBJECT_FILE, "app");
	uint32_t new = make_object(side[DIFF_NEW], OBJECT_FILE, "app");

	add(DIFF_OLD, old, 0x1000, "f", 600);
	add(DIFF_OLD, old, 0x2000, "g", 400);
	add(DIFF_NEW, new, 0x1800, "g", 400);
	add(DIFF_NEW, new, 0x3000, "f", 900);
	compare();
	cr_assert_eq(diff.count, 2);
	cr_assert(find("f")->changed);
	cr_assert_not(find("g")->changed);
	cr_assert_float_eq(find("f")->seconds[DIFF_NEW], 9, 1e-9);
	cr_assert_str_eq(diff.row[0].row.function, "f");
}

Test(diff, a_renamed_program_has_the_same_functions)
{
	uint32_t old = make_object(side[DIFF_OLD], OBJECT_FILE, "app-1.0");
	uint32_t new = make_object(side[DIFF_NEW], OBJECT_FILE, "app-1.1");

	add(DIFF_OLD, old, 0x1000, "f", 50);
	add(DIFF_NEW, new, 0x1000, "f", 50);
	compare();
	cr_assert_eq(diff.count, 1);
	cr_assert_str_eq(diff.row[0].row.object, "app-1.1");
	cr_assert_eq(diff.changed, 0);
}

Test(diff, functions_of_one_name_in_two_objects_stay_apart)
{
	uint32_t a = make_object(side[DIFF_OLD], OBJECT_FILE, "a");
	uint32_t b = make_object(side[DIFF_OLD], OBJECT_FILE, "b");
	uint32_t c = make_object(side[DIFF_NEW], OBJECT_FILE, "c");

	add(DIFF_OLD, a, 0x1000, "f", 50);
	add(DIFF_OLD, b, 0x1000, "f", 50);
	add(DIFF_NEW, c, 0x1000, "f", 50);
	compare();
	cr_assert_eq(diff.count, 3);
}

Test(diff, rates_may_differ)
{
	uint32_t old = make_object(side[DIFF_OLD], OBJECT_FILE, "app");
	uint32_t new = make_object(side[DIFF_NEW], OBJECT_FILE, "app");

	side[DIFF_NEW]->period_seconds = 0.001;
	add(DIFF_OLD, old, 0x1000, "f", 500);
	add(DIFF_OLD, old, 0x2000, "g", 500);
	add(DIFF_NEW, new, 0x1000, "f", 5000);
	add(DIFF_NEW, new, 0x2000, "g", 9000);
	compare();
	cr_assert_not(find("f")->changed);
	cr_assert(find("g")->changed);
}

Test(diff, what_slows_everything_alike_is_no_function)
{
	uint32_t old = make_object(side[DIFF_OLD], OBJECT_FILE, "app");
	uint32_t new = make_object(side[DIFF_NEW], OBJECT_FILE, "app");

	add(DIFF_OLD, old, 0x1000, "f", 30000);
	add(DIFF_OLD, old, 0x2000, "g", 20000);
	add(DIFF_NEW, new, 0x1000, "f", 33000);
	add(DIFF_NEW, new, 0x2000, "g", 22000);
	compare();
	cr_assert_eq(diff.changed, 0);
}

Test(diff, rows_that_came_and_went_have_changed)
{
	uint32_t old = make_object(side[DIFF_OLD], OBJECT_FILE, "app");
	uint32_t new = make_object(side[DIFF_NEW], OBJECT_FILE, "app");

	add(DIFF_OLD, old, 0x1000, "f", 100);
	add(DIFF_OLD, old, 0x2000, "gone", 100);
	add(DIFF_NEW, new, 0x1000, "f", 100);
	add(DIFF_NEW, new, 0x2000, "came", 100);
	compare();
	cr_assert(find("gone")->changed);
	cr_assert(find("came")->changed);
	cr_assert_not(find("f")->changed);
}

Test(diff, single_ticks_hide_nothing_that_many_show)
{
	uint32_t old = make_object(side[DIFF_OLD], OBJECT_FILE, "app");
	uint32_t new = make_object(side[DIFF_NEW], OBJECT_FILE, "app");

	for (uint64_t i = 0; i < 2000; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%d", (int)i);
		add(i % 2 ? DIFF_OLD : DIFF_NEW, i % 2 ? old : new, 0x1000 + 16 * i, name, 1);
	}
	add(DIFF_OLD, old, 0x100000, "g", 1000);
	add(DIFF_NEW, new, 0x100000, "g", 1300);
	compare();
	cr_assert(find("g")->changed);
	cr_assert_eq(diff.changed, 1);
	cr_assert_lt(diff.comparisons, 10);
}

Test(diff, unknown_code_is_one_row_wherever_it_lies)
{
	uint32_t old = make_object(side[DIFF_OLD], OBJECT_FILE, "app");
	uint32_t new = make_object(side[DIFF_NEW], OBJECT_FILE, "app");

	add(DIFF_OLD, old, 0x1000, NULL, 10);
	add(DIFF_OLD, old, 0x2000, NULL, 20);
	add(DIFF_NEW, new, 0x1500, NULL, 30);
	compare();
	cr_assert_eq(diff.count, 1);
	cr_assert_str_eq(diff.row[0].row.function, "[app]");
	cr_assert_float_eq(diff.row[0].seconds[DIFF_OLD], 0.3, 1e-9);
}

Test(diff, an_empty_profile_shows_nothing)
{
	compare();
	cr_assert_eq(diff.count, 0);
	cr_assert_eq(diff.changed, 0);
}
