/* SPDX-License-Identifier: MIT */
/* When there is a way to see more, and when nothing is said. */

#include "cli/hint.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/cli/profile_maker.h"

static struct profile *profile;
static char line[256];

static void make(void)
{
	const struct profile_process process = {.pid = 1, .command = "node"};

	profile = make_profile();
	profile_add_process(profile, &process);
}

static void drop(void)
{
	profile_free(profile);
}

TestSuite(hint, .init = make, .fini = drop);

static void make_two(enum object_kind kind, uint64_t ticks, uint64_t others)
{
	uint32_t code = make_object(profile, kind, kind == OBJECT_FILE ? "python3" : "[anon]");

	make_entry(profile, code, 0x1000, 1, ticks, 0);
	make_entry(profile, make_object(profile, OBJECT_FILE, "b"), 0x1000, 2, others, 0);
}

Test(hint, unnamed_code_of_a_known_program_gets_its_switch)
{
	make_two(OBJECT_ANON, 51, 49);
	cr_assert(hint_find(profile, line, sizeof(line)));
	cr_assert(strstr(line, "51 % of the time"), "%s", line);
	cr_assert(strstr(line, "node --perf-basic-prof"), "%s", line);
}

Test(hint, half_of_the_time_is_not_most_of_it)
{
	make_two(OBJECT_ANON, 50, 50);
	cr_assert_not(hint_find(profile, line, sizeof(line)));
}

Test(hint, code_that_has_names_needs_none)
{
	make_two(OBJECT_JIT, 90, 10);
	make_place(profile, 0, 0x1000, 0x1001, "JS:f");
	cr_assert_not(hint_find(profile, line, sizeof(line)));
}

Test(hint, an_interpreters_loop_is_known_by_its_name)
{
	make_two(OBJECT_FILE, 60, 40);
	make_place(profile, 0, 0x1000, 0x1010, "_PyEval_EvalFrameDefault");
	cr_assert(hint_find(profile, line, sizeof(line)));
	cr_assert(strstr(line, "cProfile"), "%s", line);
}

Test(hint, no_ticks_get_none)
{
	cr_assert_not(hint_find(profile, line, sizeof(line)));
}

Test(hint, functions_of_a_stripped_file_are_called_by_their_addresses)
{
	make_two(OBJECT_FILE, 60, 40);
	make_place(profile, 0, 0x1000, 0x1001, "func_1000");
	cr_assert(hint_find(profile, line, sizeof(line)));
	cr_assert(strstr(line, "60 % of the time is in functions without names"), "%s", line);
	cr_assert(strstr(line, "most of it in python3"), "%s", line);
}

Test(hint, a_function_may_well_be_called_so)
{
	make_two(OBJECT_FILE, 60, 40);
	make_place(profile, 0, 0x1000, 0x1001, "func_add");
	make_place(profile, 1, 0x1000, 0x1002, "func_");
	cr_assert_not(hint_find(profile, line, sizeof(line)));
}
