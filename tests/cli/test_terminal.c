/* SPDX-License-Identifier: MIT */
/* What may be shown on a terminal, and how wide it is there. */

#include "cli/report/terminal.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct terminal utf8 = {.is_terminal = true, .utf8 = true, .width = 80};
static const struct terminal ascii = {.is_terminal = true, .width = 80};

static void set_locale(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
}

TestSuite(terminal, .init = set_locale);

static void expect(const struct terminal *terminal, const char *text, size_t columns,
		   const char *expected)
{
	char *shown = terminal_text(terminal, text, columns);

	cr_assert_str_eq(shown, expected);
	if (columns)
		cr_assert_leq(terminal_columns(terminal, shown), columns);
	free(shown);
}

Test(terminal, control_characters_never_reach_it)
{
	expect(&utf8, "a\033[31mb\r\n\t\x7f", 0, "a\\x1B[31mb\\x0D\\n\\t\\x7F");
	expect(&utf8,
	       "\xc2\x9b"
	       "31m",
	       0, "\\xC2\\x9B31m");
}

Test(terminal, nothing_turns_the_direction_of_what_is_beside_it)
{
	expect(&utf8, "if (a\u202e) /* \u2066", 0, "if (a\\xE2\\x80\\xAE) /* \\xE2\\x81\\xA6");
	expect(&utf8, "a\u2028b\u200f\u061c", 0, "a\\xE2\\x80\\xA8b\\xE2\\x80\\x8F\\xD8\\x9C");
	expect(&utf8, "שלום", 0, "שלום");
}

Test(terminal, bytes_that_are_no_character_are_escaped)
{
	expect(&utf8, "\xff\xc3(\xe2\x82", 0, "\\xFF\\xC3(\\xE2\\x82");
	expect(&utf8, "\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80", 0,
	       "\\xC0\\x80\\xED\\xA0\\x80\\xF4\\x90\\x80\\x80");
	expect(&utf8, "é€😀", 0, "é€😀");
}

Test(terminal, columns_are_not_bytes)
{
	cr_assert_eq(terminal_columns(&utf8, "aé€"), 3);
	cr_assert_eq(terminal_columns(&utf8, "日本"), 4);
	cr_assert_eq(terminal_columns(&utf8, "e\xcc\x81"), 1);
}

Test(terminal, the_middle_is_cut)
{
	expect(&utf8, "abcdefghijklmnopqrstuvwxyz", 26, "abcdefghijklmnopqrstuvwxyz");
	expect(&utf8, "abcdefghijklmnopqrstuvwxyz", 10, "abc…uvwxyz");
	expect(&ascii, "abcdefghijklmnopqrstuvwxyz", 12, "abc...uvwxyz");
	expect(&utf8, "日本日本日本日本日本", 11, "日本…本日本");
}

Test(terminal, namespaces_go_before_the_middle_does)
{
	expect(&utf8, "std::__detail::_Map_base<std::string, long>::operator[](long)", 28,
	       "…_Map_base<…>::operator[](…)");
	expect(&utf8, "void shop::stock::sort_by<shop::item>(shop::item&)", 14, "…sort_by<…>(…)");
	expect(&ascii, "alloc::collections::btree::map::insert", 15, "...map::insert");
	/* What is too long alone, and what would leave room for more. */
	expect(&utf8, "a::abcdefghijklmnopqrstuvwxyz", 10, "abc…uvwxyz");
	expect(&utf8, "std::_Sp_counted_ptr_inplace<shop::item>::_M_dispose()", 28,
	       "_Sp_count…e<…>::_M_dispose()");
}

Test(terminal, one_mark_stands_where_two_would)
{
	expect(&utf8, "basic_string<char, long>::~basic_string()  basic_string.h", 43,
	       "basic_string<…sic_string()  basic_string.h");
}

Test(terminal, text_that_is_no_name_is_cut_at_its_end)
{
	static const struct {
		const char *text;
		size_t columns;
		const char *expected;
	} rows[] = {
		{"for (int i = 0; i < n; i++)", 0, "for (int i = 0; i < n; i++)"},
		{"abcdef", 6, "abcdef"},
		{"abcdefg", 6, "abcde…"},
		{"日本日本", 6, "日本…"},
		{"ab", 1, "a"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *shown = terminal_cut(&utf8, rows[i].text, rows[i].columns);

		cr_assert_str_eq(shown, rows[i].expected);
		free(shown);
	}
}

Test(terminal, without_a_width_nothing_is_cut)
{
	char name[5001];
	char *shown;

	memset(name, 'x', 5000);
	name[5000] = '\0';
	shown = terminal_text(&utf8, name, 0);
	cr_assert_str_eq(shown, name);
	free(shown);
}

Test(terminal, colour_follows_when_no_color_and_term)
{
	struct terminal terminal;
	int tty = posix_openpt(O_RDWR | O_NOCTTY), null = open("/dev/null", O_WRONLY);

	unsetenv("NO_COLOR");
	unsetenv("COLUMNS");
	setenv("TERM", "xterm", 1);
	grantpt(tty);
	unlockpt(tty);
	terminal_examine(tty, COLOR_AUTO, &terminal);
	cr_assert(terminal.is_terminal && terminal.color);
	terminal_examine(tty, COLOR_NEVER, &terminal);
	cr_assert_not(terminal.color);
	setenv("TERM", "dumb", 1);
	terminal_examine(tty, COLOR_AUTO, &terminal);
	cr_assert_not(terminal.color);
	setenv("TERM", "xterm", 1);
	setenv("NO_COLOR", "1", 1);
	terminal_examine(tty, COLOR_AUTO, &terminal);
	cr_assert_not(terminal.color);
	terminal_examine(null, COLOR_ALWAYS, &terminal);
	cr_assert(terminal.color);
	cr_assert_not(terminal.is_terminal);
	cr_assert_eq(terminal.width, 0);
}

Test(terminal, columns_of_the_environment_go_first)
{
	struct terminal terminal;
	int tty = posix_openpt(O_RDWR | O_NOCTTY);

	setenv("COLUMNS", "123", 1);
	terminal_examine(tty, COLOR_AUTO, &terminal);
	cr_assert_eq(terminal.width, 123);
	setenv("COLUMNS", "junk", 1);
	terminal_examine(tty, COLOR_AUTO, &terminal);
	cr_assert_eq(terminal.width, 80);
	setenv("COLUMNS", "3", 1);
	terminal_examine(tty, COLOR_AUTO, &terminal);
	cr_assert_eq(terminal.width, 40);
}
