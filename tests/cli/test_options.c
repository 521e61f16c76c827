/* SPDX-License-Identifier: MIT */
/* The command line: what every option accepts, and the one line that refuses anything else. */

#include "cli/options.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/report/columns.h"
#include "cli/report/report.h"
#include "cli/ticks/tick_source.h"

#define WORDS_MAX 8

static struct options options;
static struct error err;
static char program[] = "profrun";
static char *words[WORDS_MAX + 2];

/* Parses `profrun` with the words up to NULL, and PROFRUN_OPTIONS. */
static int parse_with(const char *environment, ...)
{
	va_list arguments;
	size_t count = 0;

	words[count++] = program;
	va_start(arguments, environment);
	while ((words[count] = va_arg(arguments, char *)))
		cr_assert_lt(++count, WORDS_MAX);
	va_end(arguments);
	err.text[0] = '\0';
	return options_parse(words, environment, &options, &err);
}

#define parse(...) parse_with(NULL, __VA_ARGS__, NULL)

static void forget(void)
{
	options_done(&options);
}

TestSuite(options, .fini = forget);

Test(options, without_any_the_defaults_hold)
{
	cr_assert_eq(parse("app"), 0);
	cr_assert_eq(options.scale, 0x10000);
	cr_assert_eq(options.rate_hz, 100);
	cr_assert_eq(options.ticks->kind, TICK_AUTO);
	cr_assert_eq(options.signal, 0);
	cr_assert(options.follow);
	cr_assert_not(options.main_only);
	cr_assert_str_eq(options.format->name, "text");
	cr_assert_null(options.output);
	cr_assert_eq(options.top, TOP_OF_FORMAT);
	cr_assert(options.demangle);
	cr_assert_not(options.clones);
	cr_assert_eq(options.by.count, 1);
	cr_assert_str_eq(options.by.key[0]->name, "function");
	cr_assert_eq(options.command, command_at(0));
	cr_assert_str_eq(options.argv[0], "app");
	cr_assert_null(options.argv[1]);
}

Test(options, a_value_follows_an_equals_sign_or_is_the_next_word)
{
	cr_assert_eq(parse("--rate=7", "--scale", "0x8000", "-o", "a", "app"), 0);
	cr_assert_eq(options.rate_hz, 7);
	cr_assert_eq(options.scale, 0x8000);
	cr_assert_str_eq(options.output, "a");
	cr_assert_eq(parse("-ob", "app"), 0);
	cr_assert_str_eq(options.output, "b");
	cr_assert_eq(parse("--output", "c=d", "app"), 0);
	cr_assert_str_eq(options.output, "c=d");
}

Test(options, a_value_that_may_be_left_out_only_follows_an_equals_sign)
{
	cr_assert_eq(parse("--debuginfod", "7", "app"), 0);
	cr_assert_float_eq(options.fetch_seconds, 5, 1e-9);
	cr_assert_str_eq(options.argv[0], "7");
	cr_assert_eq(parse("--debuginfod=7", "app"), 0);
	cr_assert_float_eq(options.fetch_seconds, 7, 1e-9);
	cr_assert_str_eq(options.argv[0], "app");
}

Test(options, end_at_the_first_operand)
{
	cr_assert_eq(parse("-q", "app", "--csv", "-v", "--", "x"), 0);
	cr_assert(options.quiet);
	cr_assert_str_eq(options.format->name, "text");
	cr_assert_not(options.verbose);
	cr_assert_str_eq(options.argv[1], "--csv");
	cr_assert_str_eq(options.argv[3], "--");
}

Test(options, two_dashes_end_them_and_no_command_follows)
{
	cr_assert_eq(parse("--", "run", "x"), 0);
	cr_assert_eq(options.command, command_at(0));
	cr_assert_str_eq(options.argv[0], "run");
	cr_assert_eq(parse("--", "-app"), 0);
	cr_assert_str_eq(options.argv[0], "-app");
}

Test(options, run_names_a_program_that_is_named_like_a_command)
{
	cr_assert_eq(parse("--csv", "run", "report", "run"), 0);
	cr_assert_str_eq(options.argv[0], "report");
	cr_assert_str_eq(options.argv[1], "run");
	cr_assert_eq(parse("run", "--", "--app"), 0);
	cr_assert_str_eq(options.argv[0], "--app");
}

Test(options, may_stand_behind_a_command_too)
{
	cr_assert_eq(parse("-q", "run", "--csv", "app", "--top=1"), 0);
	cr_assert(options.quiet);
	cr_assert_str_eq(options.format->name, "csv");
	cr_assert_str_eq(options.argv[0], "app");
	cr_assert_str_eq(options.argv[1], "--top=1");
	cr_assert_lt(parse("report", "--cvs"), 0);
	cr_assert_str_eq(err.text, "unknown option '--cvs'; did you mean '--csv'?");
}

Test(options, short_ones_can_share_a_dash)
{
	cr_assert_eq(parse("-qvox", "app"), 0);
	cr_assert(options.quiet);
	cr_assert(options.verbose);
	cr_assert_str_eq(options.output, "x");
}

Test(options, nothing_at_all_is_no_command)
{
	cr_assert_eq(parse_with(NULL, NULL), 0);
	cr_assert_null(options.command);
	cr_assert_eq(parse("--scale=0x8000"), 0);
	cr_assert_null(options.command);
}

Test(options, scale_is_decimal_hexadecimal_or_octal)
{
	static const struct {
		const char *text;
		uint32_t scale;
	} good[] = {
		{"2", 2},	  {"65536", 0x10000}, {"0x10000", 0x10000},
		{"0X1000", 4096}, {"010", 8},	      {"0x2", 2},
	};
	static const char *const bad[] = {
		"0",	      "1",   "0x10001", "-4", "+4", "abc",
		"0x8000junk", "",    " 4",	"4 ", "0x", "18446744073709551618",
		"09",	      "1e3", "2.0",
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		cr_assert_eq(parse("--scale", good[i].text, "app"), 0, "%s", good[i].text);
		cr_assert_eq(options.scale, good[i].scale, "%s", good[i].text);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char expected[128];

		cr_assert_lt(parse("--scale", bad[i], "app"), 0, "'%s'", bad[i]);
		snprintf(expected, sizeof(expected),
			 "--scale '%s': must be a whole number from 2 to 0x10000, a bucket per 2 "
			 "bytes",
			 bad[i]);
		cr_assert_str_eq(err.text, expected);
	}
}

Test(options, rate_is_1_to_10000)
{
	cr_assert_eq(parse("--rate=1", "app"), 0);
	cr_assert_eq(parse("--rate=10000", "app"), 0);
	cr_assert_eq(options.rate_hz, 10000);
	cr_assert_lt(parse("--rate=0", "app"), 0);
	cr_assert_lt(parse("--rate=10001", "app"), 0);
	cr_assert_lt(parse("--rate=0x10", "app"), 0);
	cr_assert_str_eq(err.text, "--rate '0x10': must be a whole number from 1 to 10000");
}

Test(options, signal_has_a_number_or_a_name)
{
	static const struct {
		const char *text;
		int from_min, from_max;
	} good[] = {
		{"RTMAX-2", -1, 2},
		{"SIGRTMIN+3", 3, -1},
		{"rtmin", 0, -1},
		{"SIGRTMAX", -1, 0},
	};
	static const char *const bad[] = {
		"11",	  "SIGUSR1", "RTMAX+1", "RTMIN-1", "RTMAX-40",
		"RTMIN+", "33",	     "65",	"",	   "RTMAX-2x",
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		int expected = good[i].from_max >= 0 ? SIGRTMAX - good[i].from_max
						     : SIGRTMIN + good[i].from_min;

		cr_assert_eq(parse("--signal", good[i].text, "app"), 0, "%s", good[i].text);
		cr_assert_eq(options.signal, expected, "%s", good[i].text);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_assert_lt(parse("--signal", bad[i], "app"), 0, "'%s'", bad[i]);
}

Test(options, ticks_lists_its_sources_when_it_does_not_know_one)
{
	cr_assert_eq(parse("--ticks=libc", "app"), 0);
	cr_assert_eq(options.ticks->kind, TICK_LIBC);
	cr_assert_not(options.follow);
	cr_assert(options.main_only);
	cr_assert_lt(parse("--ticks=never", "app"), 0);
	cr_assert_str_eq(err.text,
			 "--ticks 'never': one of auto, timer, kernel, signal, ptrace, libc");
}

Test(options, what_the_tick_source_cannot_do_is_refused)
{
	cr_assert_lt(parse("--ticks=libc", "--rate=99", "app"), 0);
	cr_assert_eq(parse("--ticks=libc", "--rate=100", "app"), 0);
	cr_assert_lt(parse("--ticks=libc", "--signal=40", "app"), 0);
}

Test(options, by_thread_needs_threads_that_are_kept_apart)
{
	cr_assert_lt(parse("--by=thread", "app"), 0);
	cr_assert_eq(parse("--by=thread,function", "--threads", "app"), 0);
	cr_assert_eq(parse("--by=thread", "report"), 0);
	cr_assert_lt(parse("--threads", "--ticks=libc", "app"), 0);
}

Test(options, by_takes_several_keys_once_each)
{
	cr_assert_eq(parse("--by=process,function", "app"), 0);
	cr_assert_eq(options.by.count, 2);
	cr_assert_str_eq(options.by.key[0]->name, "process");
	cr_assert_str_eq(options.by.key[1]->name, "function");
	cr_assert_lt(parse("--by=function,function", "app"), 0);
	cr_assert_lt(parse("--by=", "app"), 0);
	cr_assert_lt(parse("--by=function,", "app"), 0);
	cr_assert_lt(parse("--by=funtcion", "app"), 0);
	cr_assert(strstr(err.text, "did you mean 'function'?"), "%s", err.text);
}

Test(options, sort_takes_a_column)
{
	cr_assert_eq(parse("--sort=-kernel_percent", "app"), 0);
	cr_assert_str_eq(options.sort->name, "kernel_percent");
	cr_assert(options.sort_reversed);
	cr_assert_eq(parse("--sort", "process", "app"), 0);
	cr_assert_str_eq(options.sort->name, "process");
	cr_assert_not(options.sort_reversed);
	cr_assert_lt(parse("--sort=fuction", "app"), 0);
	cr_assert(strstr(err.text, "did you mean 'function'?"), "%s", err.text);
	cr_assert_lt(parse("--sort=", "app"), 0);
	cr_assert_lt(parse("--sort=-", "app"), 0);
}

Test(options, min_is_a_percentage)
{
	cr_assert_eq(parse("--min=0.5", "app"), 0);
	cr_assert_float_eq(options.min_percent, 0.5, 1e-9);
	cr_assert_lt(parse("--min=100.1", "app"), 0);
	cr_assert_lt(parse("--min=nan", "app"), 0);
	cr_assert_lt(parse("--min=0x10", "app"), 0);
	cr_assert_lt(parse("--min=-1", "app"), 0);
	cr_assert_lt(parse("--min=1.2.3", "app"), 0);
	cr_assert_lt(parse("--min=", "app"), 0);
	cr_assert_lt(parse("--min=.", "app"), 0);
}

Test(options, focus_is_an_extended_regular_expression)
{
	cr_assert_eq(parse("--focus=^a", "--focus=b+c", "app"), 0);
	cr_assert_eq(regexec(options.focus, "xbbc", 0, NULL, 0), 0);
	cr_assert_neq(regexec(options.focus, "a", 0, NULL, 0), 0);
	forget();
	cr_assert_lt(parse("--focus=a(", "app"), 0);
	cr_assert_lt(parse("--focus=", "app"), 0);
}

Test(options, the_last_of_a_kind_wins)
{
	cr_assert_eq(parse("--csv", "--format=text", "app"), 0);
	cr_assert_str_eq(options.format->name, "text");
	cr_assert_eq(parse("--format=text", "--csv", "app"), 0);
	cr_assert_str_eq(options.format->name, "csv");
}

Test(options, a_misspelt_one_gets_the_nearest)
{
	cr_assert_lt(parse("--scael=4", "app"), 0);
	cr_assert_str_eq(err.text, "unknown option '--scael'; did you mean '--scale'?");
	cr_assert_lt(parse("--xyzzy", "app"), 0);
	cr_assert_str_eq(err.text, "unknown option '--xyzzy'; 'profrun --help' lists them");
	cr_assert_lt(parse("-z", "app"), 0);
	cr_assert_str_eq(err.text, "unknown option '-z'; 'profrun --help' lists them");
	cr_assert_lt(parse("--=x", "app"), 0);
}

Test(options, a_missing_or_needless_value_is_refused)
{
	cr_assert_lt(parse("--scale"), 0);
	cr_assert_str_eq(err.text, "--scale needs a value: write '--scale=N'");
	cr_assert_lt(parse("-o"), 0);
	cr_assert_str_eq(err.text, "-o needs a value: write '-o FILE'");
	cr_assert_lt(parse("--csv=yes", "app"), 0);
	cr_assert_str_eq(err.text, "--csv takes no value; write just '--csv'");
}

Test(options, attaching_is_refused_with_the_way_to_start)
{
	static const char expected[] =
		"cannot attach to a running program; start it as 'profrun PROGRAM'";

	cr_assert_lt(parse("-p", "123"), 0);
	cr_assert_str_eq(err.text, expected);
	cr_assert_lt(parse("-p123"), 0);
	cr_assert_str_eq(err.text, expected);
	cr_assert_lt(parse("-p"), 0);
	cr_assert_str_eq(err.text, expected);
	cr_assert_lt(parse("--pid=123"), 0);
	cr_assert_str_eq(err.text, expected);
	cr_assert_lt(parse("--attach", "123"), 0);
	cr_assert_str_eq(err.text, expected);
}

Test(options, a_variable_instead_of_a_program_gets_env)
{
	cr_assert_lt(parse("A=b", "app"), 0);
	cr_assert_str_eq(err.text,
			 "'A=b' is no program; variables are set by 'env A=b profrun ...'");
}

Test(options, help_stops_the_reading)
{
	cr_assert_eq(parse("--help", "--bogus"), 0);
	cr_assert_not_null(options.inform);
	cr_assert_eq(parse("--format=help"), 0);
	cr_assert_not_null(options.inform);
	cr_assert_eq(parse("--ticks", "help"), 0);
	cr_assert_not_null(options.inform);
	cr_assert_eq(parse("app", "--help"), 0);
	cr_assert_null(options.inform);
}

Test(options, of_the_environment_come_before_those_of_the_command_line)
{
	cr_assert_eq(parse_with("--rate=7 --scale 4 -q", "--rate=8", "app", NULL), 0);
	cr_assert_eq(options.rate_hz, 8);
	cr_assert_eq(options.scale, 4);
	cr_assert(options.quiet);
}

Test(options, of_the_environment_are_quoted_as_in_a_shell)
{
	cr_assert_eq(parse_with("-o 'a b'\"c\\\"$d\"\\ e\t--csv\n", "app", NULL), 0);
	cr_assert_str_eq(options.output, "a bc\"$d e");
	cr_assert_str_eq(options.format->name, "csv");
	forget();
	cr_assert_eq(parse_with("", "app", NULL), 0);
}

Test(options, of_the_environment_hold_no_operand_and_no_open_quote)
{
	static const char *const bad[] = {"x",	 "-q x",  "--",	 "-q -- x",  "'a",
					  "\"a", "-o 'b", "a\\", "--rate=0", "--focus"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cr_assert_lt(parse_with(bad[i], "app", NULL), 0, "%s", bad[i]);
		cr_assert_eq(strncmp(err.text, "PROFRUN_OPTIONS: ", 17), 0, "%s", err.text);
		forget();
	}
}

Test(options, a_long_value_does_not_push_the_way_out_from_the_line)
{
	char value[4096];

	memset(value, '9', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	cr_assert_lt(parse("--rate", value, "app"), 0);
	cr_assert(strstr(err.text, "...': ") || strstr(err.text, "'...: "), "%s", err.text);
	cr_assert(strstr(err.text, "from 1 to 10000"), "%s", err.text);
}
