/* SPDX-License-Identifier: MIT */
/* What a view shows and how keys change it. */

#include "cli/live/view.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/profile_maker.h"

static struct options options;
static struct view *view;
static const struct terminal terminal = {.is_terminal = true, .utf8 = true, .width = 80};

static struct profile *make_run(double elapsed, uint64_t ticks)
{
	struct profile *profile = make_profile();
	uint32_t app = make_object(profile, OBJECT_FILE, "app");
	uint32_t libc = make_object(profile, OBJECT_FILE, "libc.so.6");

	make_entry(profile, app, 0x1000, 2, ticks, 0);
	make_entry(profile, app, 0x2000, 2, ticks / 2, 0);
	make_entry(profile, libc, 0x1000, 2, ticks / 4, ticks / 8);
	make_place(profile, app, 0x1000, 0x1100, "walk");
	make_place(profile, app, 0x2000, 0x2010, "add");
	make_place(profile, libc, 0x1000, 0x1100, "read");
	profile->kernel_known = true;
	profile->tick_source = "timer";
	profile->elapsed_seconds = elapsed;
	profile->user_seconds = elapsed / 2;
	profile->system_seconds = 0;
	return profile;
}

static void make(void)
{
	static char program[] = "./app", argument[] = "-v";
	static char *argv[] = {program, argument, NULL};

	setlocale(LC_CTYPE, "C.UTF-8");
	make_options(&options, "");
	options.argv = argv;
	view = view_new(&options);
	view_set_profile(view, make_run(10, 400));
}

static void drop(void)
{
	view_free(view);
	options_done(&options);
}

TestSuite(view, .init = make, .fini = drop);

static enum view_wish press(const char *keys)
{
	return view_press(view, keys, strlen(keys));
}

/* Whether line @number, from 0 on, of a view of @lines begins with @start. */
static void expect_line(size_t lines, size_t number, const char *start)
{
	char *text = view_write(view, &terminal, lines, true), *at = text;
	size_t count = 1;

	cr_assert_not_null(text);
	for (const char *c = text; *c; c++)
		count += *c == '\n';
	cr_assert_eq(count, lines, "%zu lines", count);
	for (; number > 0; number--)
		at = strchr(at, '\n') + 1;
	cr_assert_eq(strncmp(at, start, strlen(start)), 0, "%s", at);
	free(text);
}

Test(view, has_the_command_the_times_and_the_rows)
{
	expect_line(12, 0, "./app -v");
	expect_line(12, 1, "CPU 5.00 s (user 5.00, system 0.00), now 50 % of a CPU, 700 ticks of");
	expect_line(12, 3, "share  ±95%");
	expect_line(12, 4, "57.1%  ±3.7  ██████");
	expect_line(12, 5, "28.6%");
	expect_line(12, 8, "\n");
	expect_line(12, 11, "\033[7mq\033[27m quit");
}

Test(view, what_was_used_since_the_last_profile_is_told)
{
	view_set_profile(view, make_run(11, 500));
	expect_line(12, 1, "CPU 5.50 s (user 5.50, system 0.00), now 50 % of a CPU");
	/* The same one with more names changes nothing. */
	view_set_profile(view, make_run(11, 500));
	expect_line(12, 1, "CPU 5.50 s (user 5.50, system 0.00), now 50 % of a CPU");
}

Test(view, has_as_many_lines_as_it_is_given)
{
	for (size_t lines = 4; lines < 9; lines++)
		expect_line(lines, lines - 1, "\033[7mq\033[27m quit");
	/* What does not fit is summed up. */
	expect_line(7, 4, "57.1%");
	expect_line(7, 5, "42.9%");
}

Test(view, keys_choose_rows)
{
	cr_assert_eq(press("o"), VIEW_NAMES);
	expect_line(12, 4, "85.7%");
	cr_assert_eq(view_name_flags(view), 0);
	press("l");
	cr_assert_eq(view_name_flags(view), (unsigned)(SYM_LINES | SYM_INLINES));
	press("b");
	expect_line(12, 4, "57.1%");
}

Test(view, threads_are_rows_only_where_they_are_told_apart)
{
	cr_assert_eq(press("t"), VIEW_DRAW);
	expect_line(12, 2, "threads are told apart with --threads");
	cr_assert_eq(press("x"), VIEW_NOTHING);
	expect_line(12, 2, "\n");
}

Test(view, keys_choose_the_order)
{
	press("r");
	expect_line(12, 4, "14.3%");
	press("r");
	/* By kernel time, then by names. */
	press("s");
	expect_line(12, 4, "14.3%");
	press("s");
	expect_line(12, 4, "28.6%");
	/* A column that objects do not have is not one to sort by. */
	press("o");
	expect_line(12, 4, "85.7%");
}

Test(view, scrolls)
{
	press("\033[B");
	expect_line(8, 4, "28.6%");
	press("jjjjjj");
	expect_line(8, 4, "14.3%");
	press("\033[A\033[5~");
	expect_line(8, 4, "57.1%");
}

Test(view, pauses_and_ends)
{
	cr_assert_eq(press(" "), VIEW_DRAW);
	cr_assert(view_is_paused(view));
	press(" ");
	cr_assert_not(view_is_paused(view));
	cr_assert_eq(press("oq"), VIEW_QUIT);
	cr_assert_eq(press("\033[Z"), VIEW_NOTHING);
	cr_assert_eq(press("\033"), VIEW_NOTHING);
}

Test(view, the_last_seconds_are_told_where_there_were_more)
{
	cr_assert_eq(press("w"), VIEW_NAMES);
	cr_assert(view_is_recent(view));
	expect_line(12, 0, "./app -v");
	view_set_profile(view, make_run(42, 500));
	expect_line(12, 0,
		    "./app -v                                                       "
		    "last 10 s, 42.0 s\n");
	press(" ");
	expect_line(12, 0,
		    "./app -v                                             "
		    "last 10 s, paused at 42.0 s\n");
	press("w");
	cr_assert_not(view_is_recent(view));
}

Test(view, without_keys_says_why)
{
	char *text = view_write(view, &terminal, 12, false);

	cr_assert(strstr(text, "\nno keys: the program reads this terminal"), "%s", text);
	free(text);
}

Test(view, in_one_line_has_what_fits)
{
	struct terminal narrow = terminal;
	char *text = view_write_line(view, &terminal);

	cr_assert_str_eq(text, "\033[7m profrun: 10.0 s  CPU 50%   57.1% walk  28.6% add  "
			       "14.3% read\033[27m");
	free(text);
	narrow.width = 48;
	text = view_write_line(view, &narrow);
	cr_assert_str_eq(text, "\033[7m profrun: 10.0 s  CPU 50%   57.1% walk\033[27m");
	free(text);
}
