/* SPDX-License-Identifier: MIT */
/* What becomes of the variables that the user has. */

#include "cli/launch/environment.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define OURS "/lib/profrun-preload.so"

/* The value of the n-th variable with this name, or NULL. */
static const char *get(char **environment, const char *name, unsigned n)
{
	size_t length = strlen(name);

	for (; *environment; environment++)
		if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=' &&
		    n-- == 0)
			return *environment + length + 1;
	return NULL;
}

static char **build(const char **base, const char *preload, const char *arena)
{
	char **environment = NULL;

	cr_assert_eq(environment_build((char **)base, preload, arena, &environment), 0);
	return environment;
}

/* LD_PRELOAD for a target whose user has @before there (NULL: none), to be freed. */
static char *preload_after(const char *before)
{
	char entry[256], **environment, *result;
	const char *base[] = {before ? entry : NULL, NULL};

	snprintf(entry, sizeof(entry), "LD_PRELOAD=%s", before ? before : "");
	environment = build(base, OURS, "x");
	result = strdup(get(environment, "LD_PRELOAD", 0));
	environment_free(environment);
	return result;
}

static void expect(const char *before, const char *after)
{
	char *got = preload_after(before);

	cr_expect_str_eq(got, after);
	free(got);
}

Test(environment, users_preloads_stay_first)
{
	expect(NULL, OURS);
	expect("", OURS);
	expect("hook.so", "hook.so:" OURS);
	expect("a.so b.so", "a.so b.so:" OURS);
	expect("a.so:", "a.so::" OURS);
}

Test(environment, nested_profrun_is_named_once)
{
	expect(OURS, OURS);
	expect("a.so:" OURS, "a.so:" OURS);
	expect("a.so " OURS " b.so", "a.so " OURS " b.so");
	expect(OURS ".old", OURS ".old:" OURS);
}

Test(environment, all_else_is_kept_in_its_order)
{
	const char *base[] = {"B=2", "A=1", "broken", "=", "LD_PRELOADED=x", "A=again", NULL};
	char **environment;

	environment = build(base, OURS, "/proc/1/fd/3");
	for (size_t i = 0; base[i]; i++)
		cr_expect_str_eq(environment[i], base[i]);
	cr_expect_str_eq(environment[6], "LD_PRELOAD=" OURS);
	cr_expect_str_eq(environment[7], "PROFRUN_ARENA=/proc/1/fd/3");
	cr_expect_null(environment[8]);
	environment_free(environment);
}

/* getenv(3) finds the first, the dynamic linker takes the last. */
Test(environment, variable_that_is_there_twice_is_changed_twice)
{
	const char *base[] = {"LD_PRELOAD=a.so", "PROFRUN_ARENA=old", "LD_PRELOAD=b.so", NULL};
	char **environment;

	environment = build(base, OURS, "new");
	cr_expect_str_eq(get(environment, "LD_PRELOAD", 0), "a.so:" OURS);
	cr_expect_str_eq(get(environment, "LD_PRELOAD", 1), "a.so:" OURS);
	cr_expect_str_eq(get(environment, "PROFRUN_ARENA", 0), "new");
	cr_expect_null(get(environment, "PROFRUN_ARENA", 1));
	environment_free(environment);
}

Test(environment, what_is_not_given_stays_as_it_is)
{
	const char *base[] = {"LD_PRELOAD=a.so", NULL};
	char **environment;

	environment = build(base, NULL, NULL);
	cr_expect_str_eq(environment[0], "LD_PRELOAD=a.so");
	cr_expect_null(environment[1]);
	environment_free(environment);
	environment_free(NULL);
}
