/* SPDX-License-Identifier: MIT */
/* The pool of strings. */

#include "cli/profile/string_pool.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Test(string_pool, equal_ones_are_one)
{
	struct string_pool *pool = string_pool_new();
	char copy[] = "abc";
	const char *first = string_pool_add(pool, "abc");

	cr_assert_str_eq(first, "abc");
	cr_assert_eq(string_pool_add(pool, copy), first);
	cr_assert_neq(string_pool_add(pool, "abd"), first);
	cr_assert_str_eq(string_pool_add(pool, ""), "");
	string_pool_free(pool);
}

Test(string_pool, stay_where_they_are_while_the_pool_grows)
{
	static const char *kept[100000];
	struct string_pool *pool = string_pool_new();
	char text[32];

	for (int i = 0; i < 100000; i++) {
		snprintf(text, sizeof(text), "string %d", i);
		kept[i] = string_pool_add(pool, text);
	}
	for (int i = 0; i < 100000; i++) {
		snprintf(text, sizeof(text), "string %d", i);
		cr_assert_str_eq(kept[i], text);
		cr_assert_eq(string_pool_add(pool, text), kept[i]);
	}
	string_pool_free(pool);
}

Test(string_pool, can_be_longer_than_a_block)
{
	struct string_pool *pool = string_pool_new();
	char *text = calloc(1, 200001);

	memset(text, 'x', 200000);
	string_pool_add(pool, "before");
	cr_assert_str_eq(string_pool_add(pool, text), text);
	cr_assert_str_eq(string_pool_add(pool, "after"), "after");
	free(text);
	string_pool_free(pool);
}

Test(string_pool, freeing_nothing_is_allowed)
{
	string_pool_free(NULL);
}
