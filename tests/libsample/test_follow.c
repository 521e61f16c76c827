/* SPDX-License-Identifier: MIT */
/* What becomes of the environment that a program makes for its children. */

#include "libsample/follow.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define OURS	"/p/$LIB/profrun-preload.so"
#define CONTROL "/proc/1/fd/4:0123456789abcdef"

static char room[4096];

static void remember(const char *list)
{
	setenv("LD_PRELOAD", list, 1);
	follow_remember(CONTROL);
}

/* The entries joined by newlines. */
static const char *fit(const char **environment, bool enter)
{
	static char text[4096];
	char *const *base = (char *const *)environment;
	size_t size = follow_room(base, enter);
	char **fitted = follow_fit(base, enter, room, size);

	cr_assert_lt(size, sizeof(room));
	text[0] = '\0';
	for (; fitted && *fitted; fitted++) {
		strcat(text, *fitted);
		strcat(text, "\n");
	}
	return text;
}

Test(follow, environments_stay_as_they_are_without_a_profile)
{
	const char *environment[] = {"A=1", NULL};

	cr_expect_not(follow_is_on());
	cr_expect_str_eq(fit(environment, true), "A=1\n");
	cr_expect_eq(follow_fit((char *const *)environment, true, room, 0), (char **)environment);
}

Test(follow, one_with_our_entries_is_passed_on)
{
	const char *environment[] = {"LD_PRELOAD=a.so:" OURS, "PROFRUN_ARENA=" CONTROL, NULL};

	remember("a.so:" OURS);
	cr_expect(follow_is_on());
	cr_expect_eq(follow_room((char *const *)environment, true), 0);
}

Test(follow, an_empty_one_gets_them)
{
	const char *environment[] = {NULL};

	remember(OURS);
	cr_expect_str_eq(fit(environment, true),
			 "LD_PRELOAD=" OURS "\nPROFRUN_ARENA=" CONTROL "\n");
	cr_expect_str_eq(fit(NULL, true), "LD_PRELOAD=" OURS "\nPROFRUN_ARENA=" CONTROL "\n");
}

Test(follow, preloads_of_the_program_stay_first)
{
	const char *environment[] = {"A=1", "LD_PRELOAD=new.so", "B=2", NULL};

	remember("old.so " OURS " other.so");
	cr_expect_str_eq(fit(environment, true),
			 "A=1\nLD_PRELOAD=new.so:" OURS "\nB=2\nPROFRUN_ARENA=" CONTROL "\n");
}

Test(follow, another_profile_is_left_alone)
{
	const char *environment[] = {"PROFRUN_ARENA=x", "LD_PRELOAD=", NULL};

	remember(OURS);
	cr_expect_str_eq(fit(environment, true), "PROFRUN_ARENA=x\nLD_PRELOAD=" OURS "\n");
}

Test(follow, what_cannot_be_entered_is_not_told_to_load_ours)
{
	const char *alone[] = {"A=1", "LD_PRELOAD=" OURS, "B=2", NULL};
	const char *first[] = {"LD_PRELOAD=" OURS ":b.so", NULL};
	const char *middle[] = {"LD_PRELOAD=a.so:" OURS " b.so", NULL};
	const char *last[] = {"LD_PRELOAD=a.so:" OURS, NULL};
	const char *without[] = {"LD_PRELOAD=a.so", NULL};

	remember(OURS);
	cr_expect_str_eq(fit(alone, false), "A=1\nB=2\n");
	cr_expect_str_eq(fit(first, false), "LD_PRELOAD=b.so\n");
	cr_expect_str_eq(fit(middle, false), "LD_PRELOAD=a.so b.so\n");
	cr_expect_str_eq(fit(last, false), "LD_PRELOAD=a.so\n");
	cr_expect_eq(follow_room((char *const *)without, false), 0);
}

Test(follow, an_environment_that_no_stack_holds_stays_as_it_is)
{
	static char entry[] = "A=1";
	const size_t count = 20000;
	char **environment = calloc(count + 1, sizeof(*environment));

	remember(OURS);
	for (size_t i = 0; i < count; i++)
		environment[i] = entry;
	cr_expect_eq(follow_room(environment, true), 0);
	free(environment);
}
