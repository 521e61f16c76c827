/* SPDX-License-Identifier: MIT */
/* Names that are found again, and only those. */

#include "symbolize/name_set.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define NAMES 5000

Test(name_set, an_empty_one_has_nothing)
{
	const struct name_set set = {.count = 0};

	cr_expect_not(name_set_has(&set, "a", 1));
}

Test(name_set, has_what_was_added_and_nothing_else)
{
	struct name_set set = {.count = 0};
	char name[32];

	for (int i = 0; i < NAMES; i += 2) {
		int length = snprintf(name, sizeof(name), "function_%d", i);

		cr_assert_eq(name_set_add(&set, name, (size_t)length), 0);
		cr_assert_eq(name_set_add(&set, name, (size_t)length), 0);
	}
	cr_expect_eq(set.count, NAMES / 2);
	for (int i = 0; i < NAMES; i++) {
		int length = snprintf(name, sizeof(name), "function_%d", i);

		cr_expect_eq(name_set_has(&set, name, (size_t)length), i % 2 == 0, "%s", name);
	}
	name_set_done(&set);
}

Test(name_set, a_name_ends_where_it_is_said_to)
{
	struct name_set set = {.count = 0};

	cr_assert_eq(name_set_add(&set, "one.two", 3), 0);
	cr_expect(name_set_has(&set, "one", 3));
	cr_expect_not(name_set_has(&set, "one.two", 7));
	name_set_done(&set);
}
