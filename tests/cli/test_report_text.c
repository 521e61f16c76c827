/* SPDX-License-Identifier: MIT */
/* The format text: as a file sees it, and as terminals do. */

#include <criterion/criterion.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/report.h"
#include "cli/report/rows.h"
#include "cli/report/terminal.h"
#include "tests/cli/profile_maker.h"

static struct profile *profile;
static struct options options;
static struct terminal terminal;

static void make(void)
{
	uint32_t app, libc;

	setlocale(LC_CTYPE, "C.UTF-8");
	profile = make_profile();
	app = make_object(profile, OBJECT_FILE, "app");
	libc = make_object(profile, OBJECT_FILE, "libc.so.6");
	make_entry(profile, app, 0x1000, 2, 600, 0);
	make_entry(profile, app, 0x2000, 0x20, 102, 0);
	make_entry(profile, libc, 0x1000, 2, 298, 149);
	make_place(profile, app, 0x1000, 0x1100,
		   "std::map<std::string, long>::at(std::string const&)");
	make_place(profile, app, 0x2000, 0x2010, "a");
	make_place(profile, app, 0x2010, 0x2020, "b");
	make_place(profile, libc, 0x1000, 0x1100, "read");
	profile->kernel_known = true;
	terminal = (struct terminal){.width = 0};
}

static void drop(void)
{
	profile_free(profile);
	options_done(&options);
}

TestSuite(report_text, .init = make, .fini = drop);

static void expect(const char *line, const char *expected)
{
	struct rows rows;
	struct report report = {
		.profile = profile,
		.rows = &rows,
		.options = &options,
		.terminal = &terminal,
	};
	struct error err;
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	make_options(&options, line);
	cr_assert_eq(rows_build(profile, &options, &rows, &err), 0);
	options.format->write(&report, stream);
	fclose(stream);
	cr_assert_str_eq(text, expected, "\n%s", text);
	rows_done(&rows);
	free(text);
	options_done(&options);
	options = (struct options){.argv = NULL};
}

Test(report_text, a_file_gets_every_column_and_whole_names)
{
	expect("", "share  +-95%     sum  CPU s  kernel  object     function\n"
		   "60.0%  +-3.0   60.0%   6.00          app        "
		   "std::map<std::string, long>::at(std::string const&)\n"
		   "29.8%  +-2.8   89.8%   2.98     50%  libc.so.6  read\n"
		   "~5.1%  +-1.4   94.9%   0.51          app        a\n"
		   "~5.1%  +-1.4  100.0%   0.51          app        b\n");
}

Test(report_text, a_narrow_terminal_gets_bars_and_shortened_names)
{
	terminal = (struct terminal){.is_terminal = true, .utf8 = true, .width = 74};
	expect("--top=2", " share  ±95%          CPU s  kernel  object     function\n"
			  " 60.0%  ±3.0  ██████   6.00          app        std::map<…>::at(…)\n"
			  " 29.8%  ±2.8  ███      2.98     50%  libc.so.6  read\n"
			  "~10.2%  ±1.9           1.02                     [other] (2 more)\n");
}

Test(report_text, columns_are_spared_where_names_need_the_room)
{
	terminal = (struct terminal){.is_terminal = true, .utf8 = true, .width = 68};
	expect("--top=1", " share  ±95%  CPU s  kernel  object  function\n"
			  " 60.0%  ±3.0   6.00          app     std::map<…>::at(…)\n"
			  "~40.0%  ±3.0   4.00     37%          [other] (3 more)\n");
	terminal.width = 40;
	expect("--top=1", " share  ±95%  CPU s  function\n"
			  " 60.0%  ±3.0   6.00  std::map<…>::at(…)\n"
			  "~40.0%  ±3.0   4.00  [other] (3 more)\n");
}

Test(report_text, a_terminal_without_utf8_gets_no_bars)
{
	terminal = (struct terminal){.is_terminal = true, .width = 68};
	expect("--top=1", " share  +-95%  CPU s  kernel  object  function\n"
			  " 60.0%  +-3.0   6.00          app     std::map<...>::at(...)\n"
			  "~40.0%  +-3.0   4.00     37%          [other] (3 more)\n");
}

Test(report_text, the_last_column_is_what_the_keys_tell)
{
	profile->kernel_known = false;
	expect("--by=object", "share  +-95%     sum  CPU s  object\n"
			      "70.2%  +-2.8   70.2%   7.02  app\n"
			      "29.8%  +-2.8  100.0%   2.98  libc.so.6\n");
}

Test(report_text, no_line_ends_in_blanks)
{
	struct profile_process process = {.pid = 5, .command = "sh"};

	profile_add_process(profile, &process);
	profile->kernel_known = false;
	expect("--by=process", " share  +-95%     sum  CPU s  process\n"
			       "100.0%  +-0.2  100.0%  10.00  sh (5)\n");
}

Test(report_text, nothing_is_cut_in_a_file)
{
	char command[401], expected[600];
	struct profile_process process = {.pid = 5, .command = command};

	memset(command, 'x', 400);
	command[400] = '\0';
	profile_add_process(profile, &process);
	profile->kernel_known = false;
	snprintf(expected, sizeof(expected),
		 " share  +-95%%     sum  CPU s  process\n"
		 "100.0%%  +-0.2  100.0%%  10.00  %s (5)\n",
		 command);
	expect("--by=process", expected);
}

Test(report_text, without_rows_is_the_header_alone)
{
	expect("--focus=nothing", "share  +-95%  sum  CPU s  object  function\n");
}

Test(report_text, colours_mark_what_is_hot)
{
	terminal = (struct terminal){.is_terminal = true, .color = true, .width = 80};
	profile->kernel_known = false;
	expect("--by=object --focus=libc",
	       " \033[1mshare\033[0m  \033[1m+-95%\033[0m  \033[1mCPU s\033[0m  "
	       "\033[1mobject\033[0m\n"
	       " \033[1;31m29.8%\033[0m  \033[2m+-2.8\033[0m   2.98  \033[1mlibc.so.6\033[0m\n"
	       "~70.2%  \033[2m+-2.8\033[0m   7.02  \033[2m[other]\033[0m\n");
}

Test(report_text, several_keys_make_a_tree_of_sums)
{
	expect("--by=object,function", "share  +-95%     sum  CPU s  kernel  object > function\n"
				       "70.2%  +-2.8           7.02          app\n"
				       "60.0%  +-3.0   60.0%   6.00            "
				       "std::map<std::string, long>::at(std::string const&)\n"
				       "~5.1%  +-1.4   65.1%   0.51            a\n"
				       "~5.1%  +-1.4   70.2%   0.51            b\n"
				       "29.8%  +-2.8           2.98     50%  libc.so.6\n"
				       "29.8%  +-2.8  100.0%   2.98     50%    read\n");
}

Test(report_text, sums_are_of_hidden_rows_too)
{
	expect("--by=object,function --top=1 -q",
	       " share  +-95%     sum  CPU s  kernel  object > function\n"
	       " 70.2%  +-2.8           7.02          app\n"
	       " 60.0%  +-3.0   60.0%   6.00            "
	       "std::map<std::string, long>::at(std::string const&)\n"
	       "~40.0%  +-3.0  100.0%   4.00     37%  [other] (3 more)\n");
}

Test(report_text, a_key_that_tells_nothing_new_makes_no_level)
{
	expect("--by=function,object --top=1",
	       " share  +-95%     sum  CPU s  kernel  object  function\n"
	       " 60.0%  +-3.0   60.0%   6.00          app     "
	       "std::map<std::string, long>::at(std::string const&)\n"
	       "~40.0%  +-3.0  100.0%   4.00     37%          [other] (3 more)\n");
}
