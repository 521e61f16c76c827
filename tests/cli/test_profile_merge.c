/* SPDX-License-Identifier: MIT */
/* Several profiles as one. */

#include "cli/profile/profile_merge.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/profile_maker.h"

static struct profile *profile, *other;
static struct error err;

static void make(void)
{
	profile = make_profile();
	other = make_profile();
}

static void drop(void)
{
	profile_free(profile);
	profile_free(other);
}

TestSuite(profile_merge, .init = make, .fini = drop);

static uint32_t add_app(struct profile *to, uint8_t build_id)
{
	struct profile_object object = {
		.kind = OBJECT_FILE, .name = "app", .path = "/app", .build_id = {1, {build_id}}};

	return (uint32_t)profile_add_object(to, &object);
}

static void expect(const char *line, const char *expected)
{
	struct options options;
	char *text;

	make_options(&options, line);
	text = make_report(profile, &options);
	cr_assert_str_eq(strchr(text, '\n') + 1, expected, "%s", text);
	free(text);
	options_done(&options);
}

Test(profile_merge, ticks_and_times_are_sums)
{
	struct profile_process process = {.pid = 1, .command = "app"};
	uint32_t app;

	profile_add_process(profile, &process);
	profile_add_process(other, &process);
	make_object(other, OBJECT_FILE, "something else first");
	app = add_app(profile, 1);
	make_entry(profile, app, 0x1000, 2, 1, 1);
	make_place(profile, app, 0x1000, 0x1100, "f");
	app = add_app(other, 1);
	make_entry(other, app, 0x1000, 2, 2, 0);
	make_entry(other, app, 0x2000, 2, 1, 0);
	make_place(other, app, 0x1000, 0x1100, "f");
	make_place(other, app, 0x2000, 0x2100, "g");
	profile->kernel_known = other->kernel_known = true;
	profile->user_seconds = 0.5;
	other->user_seconds = 0.25;
	other->lost_ticks = 3;
	profile_add_note(other, "note");
	cr_assert_eq(profile_merge(profile, other, &err), 0);
	cr_assert_eq(profile->ticks, 4);
	cr_assert_float_eq(profile->effective_ticks, 4, 1e-9);
	cr_assert_float_eq(profile->user_seconds, 0.75, 1e-12);
	cr_assert_eq(profile->lost_ticks, 3);
	cr_assert_eq(profile->entry_count, 3);
	cr_assert_str_eq(profile->notes[0], "note");
	profile->effective_ticks = 0;
	expect("--csv", "f,app,,,3,0.030,75.000,100.000,75.000,33.333,0\n"
			"g,app,,,1,0.010,25.000,100.000,100.000,0.000,0\n");
}

Test(profile_merge, builds_of_one_program_are_told_apart)
{
	uint32_t app = add_app(profile, 1);

	make_entry(profile, app, 0x1000, 2, 1, 0);
	make_place(profile, app, 0x1000, 0x1100, "f");
	app = add_app(other, 2);
	make_entry(other, app, 0x1000, 2, 2, 0);
	make_place(other, app, 0x1000, 0x1100, "g");
	cr_assert_eq(profile_merge(profile, other, &err), 0);
	cr_assert_eq(profile->object_count, 2);
	profile->effective_ticks = 0;
	expect("--csv", "g,app,,,2,0.020,66.667,100.000,66.667,,0\n"
			"f,app,,,1,0.010,33.333,100.000,100.000,,0\n");
}

Test(profile_merge, places_of_both_divide_the_buckets_of_both)
{
	uint32_t app = add_app(profile, 1);

	make_entry(profile, app, 0x1000, 0x20, 2, 0);
	make_place(profile, app, 0x1000, 0x1010, "f");
	make_place(profile, app, 0x1010, 0x1020, "g");
	app = add_app(other, 1);
	make_entry(other, app, 0x1020, 0x20, 2, 0);
	make_place(other, app, 0x1020, 0x1030, "g");
	make_place(other, app, 0x1030, 0x1040, "h");
	cr_assert_eq(profile_merge(profile, other, &err), 0);
	profile->effective_ticks = 0;
	expect("--csv", "g,app,,,2,0.020,50.000,100.000,50.000,,1\n"
			"f,app,,,1,0.010,25.000,100.000,75.000,,1\n"
			"h,app,,,1,0.010,25.000,100.000,100.000,,1\n");
}

Test(profile_merge, effective_ticks_weigh_overruns)
{
	uint32_t app = add_app(profile, 1);

	/* 100 ticks by ones: sum w^2 = 100; 100 ticks by fours: sum w^2 = 400. */
	make_entry(profile, app, 0, 2, 100, 0);
	make_entry(other, add_app(other, 1), 0, 2, 100, 0);
	other->effective_ticks = 25;
	cr_assert_eq(profile_merge(profile, other, &err), 0);
	cr_assert_float_eq(profile->effective_ticks, 200.0 * 200 / 500, 1e-9);
}

Test(profile_merge, processes_stay_apart)
{
	struct profile_process process = {.pid = 1, .command = "a"};

	profile_add_process(profile, &process);
	process.command = "b";
	profile_add_process(other, &process);
	make_entry(profile, add_app(profile, 1), 0, 2, 1, 0);
	make_entry(other, add_app(other, 1), 0, 2, 2, 0);
	cr_assert_eq(profile_merge(profile, other, &err), 0);
	profile->effective_ticks = 0;
	cr_assert_eq(profile->processes[1].ticks, 2);
	expect("--csv --by=process", "b (1),,,,,2,0.020,66.667,100.000,66.667,,0\n"
				     "a (1),,,,,1,0.010,33.333,100.000,100.000,,0\n");
}

Test(profile_merge, ticks_of_other_worth_are_refused)
{
	other->period_seconds = 0.001;
	cr_assert_lt(profile_merge(profile, other, &err), 0);
	cr_assert_str_eq(err.text, "a tick is 10 ms in one and 1 ms in the other");
}

Test(profile_merge, runs_are_kept_apart_by_name)
{
	struct profile_process process = {.pid = 1, .command = "app"};

	profile_add_process(profile, &process);
	process.run = "2";
	profile_add_process(other, &process);
	make_entry(profile, add_app(profile, 1), 0, 2, 1, 0);
	make_entry(other, add_app(other, 1), 0, 2, 2, 0);
	cr_assert_eq(profile_name_run(profile, "old.pb.gz"), 0);
	cr_assert_eq(profile_name_run(other, "new.pb.gz"), 0);
	cr_assert_eq(profile_merge(profile, other, &err), 0);
	profile->effective_ticks = 0;
	expect("--csv --by=run", "new.pb.gz:2,,,,,2,0.020,66.667,100.000,66.667,,0\n"
				 "old.pb.gz,,,,,1,0.010,33.333,100.000,100.000,,0\n");
}
