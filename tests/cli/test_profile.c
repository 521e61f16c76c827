/* SPDX-License-Identifier: MIT */
/* The profile model: merging, totals, ownership. */

#include "cli/profile/profile.h"

#include <criterion/criterion.h>
#include <string.h>
#include <time.h>

static struct profile *profile;

static void make(void)
{
	profile = profile_new();
	cr_assert_not_null(profile);
}

static void drop(void)
{
	profile_free(profile);
}

TestSuite(profile, .init = make, .fini = drop);

static void add(uint32_t object, uint32_t process, uint64_t address, uint64_t size, uint64_t ticks)
{
	struct profile_entry entry = {
		.object = object,
		.process = process,
		.address = address,
		.size = size,
		.ticks = ticks,
		.kernel = ticks / 2,
	};

	cr_assert_eq(profile_add_entry(profile, &entry), 0);
}

Test(profile, entries_of_one_bucket_are_merged)
{
	add(0, 0, 0x1000, 2, 4);
	add(0, 0, 0x1002, 2, 1);
	add(0, 0, 0x1000, 2, 6);
	cr_assert_eq(profile->entry_count, 2);
	cr_assert_eq(profile->entries[0].ticks, 10);
	cr_assert_eq(profile->entries[0].kernel, 5);
	cr_assert_eq(profile->ticks, 11);
}

Test(profile, object_process_address_and_size_tell_entries_apart)
{
	add(0, 0, 0x1000, 2, 1);
	add(1, 0, 0x1000, 2, 1);
	add(0, 1, 0x1000, 2, 1);
	add(0, 0, 0x1000, 4, 1);
	cr_assert_eq(profile->entry_count, 4);
}

Test(profile, a_million_entries_are_merged_quickly)
{
	struct timespec start, end;
	double seconds;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
	for (int round = 0; round < 2; round++) {
		for (uint64_t i = 0; i < 1000000; i++)
			add((uint32_t)(i % 7), (uint32_t)(i % 3), i * 2, 2, 1);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	cr_assert_eq(profile->entry_count, 1000000);
	cr_assert_eq(profile->ticks, 2000000);
	for (size_t i = 0; i < profile->entry_count; i++)
		cr_assert_eq(profile->entries[i].ticks, 2);
	seconds =
		(double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
	cr_assert_lt(seconds, 20, "%f s", seconds);
}

Test(profile, objects_are_told_apart_by_kind_path_and_build_id)
{
	struct profile_object object = {.kind = OBJECT_FILE, .name = "a", .path = "/x/a"};

	cr_assert_eq(profile_add_object(profile, &object), 0);
	cr_assert_eq(profile_add_object(profile, &object), 0);
	object.path = "/y/a";
	cr_assert_eq(profile_add_object(profile, &object), 1);
	object.build_id.size = 2;
	cr_assert_eq(profile_add_object(profile, &object), 2);
	object.build_id.bytes[1] = 1;
	cr_assert_eq(profile_add_object(profile, &object), 3);
	object = (struct profile_object){.kind = OBJECT_SPECIAL, .name = "a"};
	cr_assert_eq(profile_add_object(profile, &object), 4);
	cr_assert_eq(profile_add_object(profile, &object), 4);
}

Test(profile, strings_are_copied)
{
	char name[] = "name", command[] = "command";
	struct profile_object object = {.kind = OBJECT_FILE, .name = name, .path = name};
	struct profile_process process = {.command = command};

	profile_add_object(profile, &object);
	profile_add_process(profile, &process);
	name[0] = command[0] = 'X';
	cr_assert_str_eq(profile->objects[0].name, "name");
	cr_assert_str_eq(profile->objects[0].path, "name");
	cr_assert_str_eq(profile->processes[0].command, "command");
	cr_assert_null(profile->processes[0].command_line);
}

Test(profile, a_pid_that_comes_again_is_another_process)
{
	struct profile_process process = {.pid = 7, .command = "a"};

	cr_assert_eq(profile_add_process(profile, &process), 0);
	cr_assert_eq(profile_add_process(profile, &process), 1);
	add(0, 1, 0x1000, 2, 5);
	cr_assert_eq(profile->processes[0].ticks, 0);
	cr_assert_eq(profile->processes[1].ticks, 5);
}

Test(profile, a_note_stands_once)
{
	cr_assert_eq(profile_add_note(profile, "%s is gone", "a"), 0);
	cr_assert_eq(profile_add_note(profile, "%s is gone", "a"), 0);
	cr_assert_eq(profile_add_note(profile, "%s is gone", "b"), 0);
	cr_assert_eq(profile->note_count, 2);
	cr_assert_str_eq(profile->notes[1], "b is gone");
}

Test(profile, coverage_is_ticks_times_period_over_cpu_time)
{
	cr_assert_float_eq(profile_coverage(profile), 0, 1e-12);
	add(0, 0, 0, 2, 95);
	profile->period_seconds = 0.01;
	cr_assert_float_eq(profile_coverage(profile), 0, 1e-12);
	profile->user_seconds = 0.75;
	profile->system_seconds = 0.25;
	cr_assert_float_eq(profile_coverage(profile), 0.95, 1e-12);
}

Test(profile, freeing_nothing_is_allowed)
{
	profile_free(NULL);
}

Test(profile, details_are_apart_from_notes)
{
	cr_assert_eq(profile_add_detail(profile, "%s: names from %s", "a", ".symtab"), 0);
	cr_assert_eq(profile->note_count, 0);
	cr_assert_eq(profile->detail_count, 1);
	cr_assert_str_eq(profile->details[0], "a: names from .symtab");
}
