/* SPDX-License-Identifier: MIT */
/* The format html: what the page holds without a script, which tests/e2e/page.py runs. */

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/cli/profile_maker.h"

static struct profile *profile;
static char *page;

static void make(void)
{
	uint32_t app;

	profile = make_profile();
	app = make_object(profile, OBJECT_FILE, "app");
	make_entry(profile, app, 0x1000, 2, 60, 0);
	make_entry(profile, app, 0x2000, 2, 30, 0);
	make_entry(profile, app, 0x3000, 2, 10, 0);
	make_place(profile, app, 0x1000, 0x1100, "walk");
	make_place(profile, app, 0x2000, 0x2010, "add");
	make_place(profile, app, 0x3000, 0x3010, "<b>");
}

static void drop(void)
{
	free(page);
	profile_free(profile);
}

TestSuite(report_html, .init = make, .fini = drop);

static void write_page(const char *line)
{
	struct options options;

	make_options(&options, line);
	free(page);
	page = make_report(profile, &options);
	options_done(&options);
}

/* How often @text stands in the page. */
static size_t count(const char *text)
{
	size_t times = 0;

	for (const char *at = page; (at = strstr(at, text)); at += strlen(text))
		times++;
	return times;
}

Test(report_html, tells_what_ran_and_how_it_ended)
{
	static char program[] = "./app", argument[] = "a b";
	char *argv[] = {program, argument, NULL};

	profile_set_command(profile, argv);
	profile->wait_status = W_EXITCODE(3, 0);
	profile->lost_ticks = 7;
	write_page("--format=html");
	cr_assert_eq(count("<title>./app &#39;a b&#39; - profrun</title>"), 1);
	cr_assert_eq(count("<h1>./app &#39;a b&#39;</h1>"), 1);
	cr_assert_eq(count("<li>exit status 3\n"), 1);
	cr_assert_eq(count("<b>100</b><span>ticks of 10 ms (timer), 7 lost</span>"), 1);
}

Test(report_html, rows_are_marked_as_ordered_as_they_are)
{
	write_page("--format=html");
	cr_assert_eq(count(" aria-sort="), 1);
	cr_assert_eq(count("<th scope=col class=\"n\" aria-sort=descending>share"), 1);
	write_page("--format=html --sort=function");
	cr_assert_eq(count("<th scope=col class=\"\" aria-sort=ascending>function"), 1);
	cr_assert_eq(count("aria-sort=descending>"), 0);
	write_page("--format=html --sort=-function");
	cr_assert_eq(count("<th scope=col class=\"\" aria-sort=descending>function"), 1);
	write_page("--format=html --sort=-ticks");
	cr_assert_eq(count("<th scope=col class=\"n\" aria-sort=ascending>share"), 1);
}

Test(report_html, what_is_left_out_is_one_row_without_a_bar)
{
	write_page("--format=html --top=1");
	cr_assert_eq(count("<tr class=other>"), 1);
	cr_assert_eq(count("[other] (2 more)\n"), 1);
	cr_assert_eq(count("<i style=\"width:"), 1);
	cr_assert_eq(count("<i style=\"width:100.0%\"></i>"), 1);
}

Test(report_html, names_are_no_markup)
{
	write_page("--format=html");
	cr_assert_eq(count("&lt;b&gt;\n"), 1);
	cr_assert_eq(count("<b>\n"), 0);
}

Test(report_html, the_icicle_has_the_processes_that_keys_tell)
{
	struct profile_process process = {.pid = 5, .command = "sh"};

	profile_add_process(profile, &process);
	write_page("--format=html");
	cr_assert_eq(count("[\"everything\",100,[[\"app\",100,[[\"walk\",60,[]],"), 1);
	cr_assert_eq(count("From the top: object,"), 1);
	write_page("--format=html --by=process,function");
	cr_assert_eq(count("[\"everything\",100,[[\"sh (5)\",100,[[\"app\",100,["), 1);
	cr_assert_eq(count("From the top: process, object,"), 1);
}

Test(report_html, without_ticks_says_why)
{
	profile_free(profile);
	profile = make_profile();
	write_page("--format=html");
	cr_assert_eq(count("<li>no ticks: "), 1);
	cr_assert_eq(count("<tbody>\n</table>"), 1);
	cr_assert_eq(count("id=tree"), 0);
}
