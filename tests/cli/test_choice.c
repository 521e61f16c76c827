/* SPDX-License-Identifier: MIT */
/* The nearest word and the list of words. */

#include "cli/choice.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *fruit(size_t index)
{
	static const char *const names[] = {"apple", "pear", "plum", "fig"};

	return index < 4 ? names[index] : NULL;
}

Test(choice, finds_exact_words_only)
{
	cr_assert_eq(choice_find(fruit, "plum"), 2);
	cr_assert_eq(choice_find(fruit, "plu"), -1);
	cr_assert_eq(choice_find(fruit, ""), -1);
}

Test(choice, a_letter_more_less_wrong_or_swapped_is_near)
{
	cr_assert_str_eq(choice_nearest(fruit, "aple"), "apple");
	cr_assert_str_eq(choice_nearest(fruit, "peaar"), "pear");
	cr_assert_str_eq(choice_nearest(fruit, "plim"), "plum");
	cr_assert_str_eq(choice_nearest(fruit, "fgi"), "fig");
}

Test(choice, another_word_is_near_to_none)
{
	char long_word[4096];

	cr_assert_null(choice_nearest(fruit, "kernel"));
	cr_assert_null(choice_nearest(fruit, ""));
	memset(long_word, 'a', sizeof(long_word) - 1);
	long_word[sizeof(long_word) - 1] = '\0';
	cr_assert_null(choice_nearest(fruit, long_word));
}

Test(choice, describes_the_list_and_the_nearest)
{
	char text[100];

	cr_assert_str_eq(choice_describe(fruit, "kernel", text, sizeof(text)),
			 "one of apple, pear, plum, fig");
	cr_assert_str_eq(choice_describe(fruit, "pera", text, sizeof(text)),
			 "did you mean 'pear'? One of apple, pear, plum, fig");
	cr_assert_str_eq(choice_describe(fruit, "kernel", text, 14), "one of apple,");
}
