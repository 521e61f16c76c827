/* SPDX-License-Identifier: MIT */
/* Grouping, order, sums and what is hidden. */

#include "cli/report/rows.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <time.h>

#include "cli/report/report.h"
#include "tests/cli/profile_maker.h"

static struct profile *profile;
static struct options options;
static struct rows rows;

static void make(void)
{
	profile = make_profile();
}

static void drop(void)
{
	rows_done(&rows);
	options_done(&options);
	profile_free(profile);
}

TestSuite(rows, .init = make, .fini = drop);

static void build(const char *line)
{
	struct error err;
	uint64_t sum = 0;

	rows_done(&rows);
	options_done(&options);
	make_options(&options, line);
	cr_assert_eq(rows_build(profile, &options, &rows, &err), 0);
	for (size_t i = 0; i < rows.count; i++)
		sum += rows.row[i].millis;
	if (rows.count)
		cr_assert_eq(sum, profile->ticks * 1000);
}

static void expect(size_t index, const char *function, const char *object, uint64_t millis)
{
	cr_assert_lt(index, rows.count);
	cr_assert_str_eq(rows.row[index].function, function);
	cr_assert_str_eq(rows.row[index].object, object);
	cr_assert_eq(rows.row[index].millis, millis);
}

Test(rows, a_function_of_two_objects_has_two_rows)
{
	uint32_t a = make_object(profile, OBJECT_FILE, "a");
	uint32_t b = make_object(profile, OBJECT_FILE, "b");

	make_entry(profile, a, 0x1000, 2, 1, 0);
	make_entry(profile, b, 0x1000, 2, 1, 0);
	make_place(profile, a, 0x1000, 0x1010, "f");
	make_place(profile, b, 0x1000, 0x1010, "f");
	build("");
	cr_assert_eq(rows.count, 2);
	expect(0, "f", "a", 1000);
	expect(1, "f", "b", 1000);
}

Test(rows, two_functions_of_one_name_and_object_have_one_row)
{
	uint32_t a = make_object(profile, OBJECT_FILE, "a");

	make_entry(profile, a, 0x1000, 2, 1, 0);
	make_entry(profile, a, 0x2000, 2, 2, 0);
	make_place(profile, a, 0x1000, 0x1010, "f");
	make_place(profile, a, 0x2000, 0x2010, "f");
	build("");
	cr_assert_eq(rows.count, 1);
	expect(0, "f", "a", 3000);
	build("--by=address");
	cr_assert_eq(rows.count, 2);
	cr_assert_eq(rows.row[0].address, 0x2000);
	cr_assert_eq(rows.row[1].address, 0x1000);
}

Test(rows, processes_of_one_name_are_told_apart_by_pid)
{
	uint32_t a = make_object(profile, OBJECT_FILE, "a");
	struct profile_process process = {.pid = 5, .command = "sh"};
	struct profile_entry entry = {.object = a, .size = 2, .ticks = 1};

	profile_add_process(profile, &process);
	process.pid = 6;
	process.image = 1;
	profile_add_process(profile, &process);
	profile_add_entry(profile, &entry);
	entry.process = 1;
	entry.ticks = 2;
	profile_add_entry(profile, &entry);
	build("--by=process");
	cr_assert_eq(rows.count, 2);
	cr_assert_str_eq(rows.row[0].process, "sh (6)");
	cr_assert_str_eq(rows.row[1].process, "sh (5)");
	build("");
	cr_assert_eq(rows.count, 1);
}

Test(rows, threads_of_one_name_are_told_apart_by_id)
{
	uint32_t a = make_object(profile, OBJECT_FILE, "a");
	struct profile_thread thread = {.tid = 5, .name = "worker"};
	struct profile_entry entry = {.object = a, .size = 2, .ticks = 3, .thread = 1};
	struct profile_process process = {.pid = 5, .command = "sh"};

	profile_add_process(profile, &process);
	cr_assert_eq(profile_add_thread(profile, &thread), 1);
	thread.tid = 6;
	cr_assert_eq(profile_add_thread(profile, &thread), 2);
	profile_add_entry(profile, &entry);
	entry.thread = 2;
	entry.ticks = 2;
	profile_add_entry(profile, &entry);
	entry.thread = 0;
	entry.ticks = 1;
	profile_add_entry(profile, &entry);
	build("--threads --by=thread");
	cr_assert_eq(rows.count, 3);
	cr_assert_str_eq(rows.row[0].thread, "worker (5)");
	cr_assert_str_eq(rows.row[1].thread, "worker (6)");
	cr_assert_str_eq(rows.row[2].thread, "[unknown]");
	build("");
	cr_assert_eq(rows.count, 1);
}

Test(rows, special_rows_keep_their_name_by_every_key)
{
	uint32_t special = make_object(profile, OBJECT_SPECIAL, "[outside app]");

	make_entry(profile, special, 0, 0, 3, 0);
	build("--by=object");
	expect(0, "[outside app]", "", 3000);
}

Test(rows, focus_matches_functions_and_objects_and_keeps_percentages)
{
	uint32_t app = make_object(profile, OBJECT_FILE, "app");
	uint32_t lib = make_object(profile, OBJECT_FILE, "libz.so");

	make_entry(profile, app, 0x1000, 2, 60, 0);
	make_entry(profile, lib, 0x1000, 2, 40, 0);
	make_place(profile, app, 0x1000, 0x1010, "main");
	make_place(profile, lib, 0x1000, 0x1010, "deflate");
	build("--focus=^libz");
	cr_assert_eq(rows.count, 2);
	expect(0, "deflate", "libz.so", 40000);
	cr_assert_float_eq(row_percent(&rows, &rows.row[0]), 40, 1e-9);
	expect(1, "[other]", "", 60000);
	cr_assert(rows.has_other);
	cr_assert_eq(rows.hidden, 0);
	build("--focus=main|deflate");
	cr_assert_eq(rows.count, 2);
	cr_assert_not(rows.has_other);
	/* The function decides even where rows do not show it. */
	build("--focus=^main$ --by=object");
	expect(0, "", "app", 60000);
}

Test(rows, are_sorted_by_a_column_and_the_other_way_round)
{
	uint32_t a = make_object(profile, OBJECT_FILE, "a");
	uint32_t b = make_object(profile, OBJECT_FILE, "b");

	make_entry(profile, a, 0x1000, 2, 5, 0);
	make_entry(profile, a, 0x2000, 2, 1, 1);
	make_entry(profile, b, 0x1000, 2, 9, 3);
	make_place(profile, a, 0x1000, 0x1010, "y");
	make_place(profile, a, 0x2000, 0x2010, "z");
	make_place(profile, b, 0x1000, 0x1010, "x");
	build("--sort=function");
	expect(0, "x", "b", 9000);
	expect(2, "z", "a", 1000);
	build("--sort=-function --top=1");
	expect(0, "z", "a", 1000);
	expect(1, "[other]", "", 14000);
	build("--sort=object");
	expect(0, "y", "a", 5000);
	build("--sort=kernel_percent");
	expect(0, "z", "a", 1000);
	build("--sort=-ticks");
	expect(0, "z", "a", 1000);
	expect(2, "x", "b", 9000);
	/* What is too small is hidden wherever it would stand. */
	build("--sort=-function --min=20");
	expect(0, "y", "a", 5000);
	expect(1, "x", "b", 9000);
	expect(2, "[other]", "", 1000);
}

Test(rows, text_shows_25_unless_told_otherwise)
{
	uint32_t a = make_object(profile, OBJECT_FILE, "a");

	for (uint64_t i = 0; i < 30; i++)
		make_entry(profile, a, i * 16, 2, 1, 0);
	build("");
	cr_assert_eq(rows.count, 26);
	cr_assert_eq(rows.hidden, 5);
	build("--top=0");
	cr_assert_eq(rows.count, 30);
	build("--csv");
	cr_assert_eq(rows.count, 30);
}

Test(rows, a_million_buckets_take_seconds)
{
	uint32_t a = make_object(profile, OBJECT_FILE, "a");
	struct timespec start, end;

	for (uint64_t i = 0; i < 1000000; i++)
		make_entry(profile, a, i * 2, 2, 1 + i % 5, 0);
	for (uint64_t i = 0; i < 10000; i++) {
		char name[32];

		snprintf(name, sizeof(name), "f%d", (int)i);
		make_place(profile, a, i * 200, i * 200 + 200, name);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
	build("--csv");
	cr_assert_eq(rows.count, 10000);
	build("--csv --by=address");
	cr_assert_eq(rows.count, 1000000);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	cr_assert_lt(end.tv_sec - start.tv_sec, 30);
}

Test(rows, are_estimates_only_where_a_bucket_goes_to_several)
{
	uint32_t a = make_object(profile, OBJECT_FILE, "a");

	make_entry(profile, a, 0x1000, 0x20, 2, 0);
	make_place(profile, a, 0x1000, 0x1010, "f");
	make_place(profile, a, 0x1010, 0x1020, "g");
	build("");
	cr_assert(rows.row[0].estimated);
	build("--by=object");
	cr_assert_not(rows.row[0].estimated);
	build("--by=object --focus=f");
	cr_assert(rows.row[0].estimated);
}
