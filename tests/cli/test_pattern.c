/* SPDX-License-Identifier: MIT */
/* File names with parts that are filled in. */

#include "cli/pattern.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void expect(const char *pattern, const char *expected)
{
	struct error err;
	char *name;

	cr_assert_eq(pattern_expand(pattern, &name, &err), 0, "%s", err.text);
	cr_assert_str_eq(name, expected);
	free(name);
}

static void refuse(const char *pattern, const char *expected)
{
	struct error err;
	char *name;

	cr_assert_lt(pattern_expand(pattern, &name, &err), 0);
	cr_assert_str_eq(err.text, expected);
}

Test(pattern, fills_in_pid_host_and_environment)
{
	char expected[200], host[100];

	gethostname(host, sizeof(host));
	setenv("RANK", "7", 1);
	snprintf(expected, sizeof(expected), "a-%d-%s-7-%%", (int)getpid(), host);
	expect("a-%p-%h-%q{RANK}-%%", expected);
	expect("plain", "plain");
}

Test(pattern, refuses_what_it_does_not_know)
{
	unsetenv("UNSET");
	refuse("a%d", "'a%d': '%d' is no pattern; one of %p, %h, %q{VAR}, %%");
	refuse("a%", "'a%': '%' is no pattern; one of %p, %h, %q{VAR}, %%");
	refuse("%q{UNSET}", "'%q{UNSET}': %q{UNSET}: the variable is not set");
	refuse("%q", "'%q': %q needs a variable: write %q{NAME}");
	refuse("%q{A", "'%q{A': %q needs a variable: write %q{NAME}");
}
