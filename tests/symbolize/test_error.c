/* SPDX-License-Identifier: MIT */
/* error_set(): the code comes back, the text says what failed and why. */

#include "symbolize/error.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

Test(error, the_code_is_returned_and_kept)
{
	struct error err = {0};

	cr_assert_eq(error_set(&err, -ENOENT, "cannot open '%s'", "a.out"), -ENOENT);
	cr_assert_eq(err.code, -ENOENT);
	cr_assert_str_eq(err.text, "cannot open 'a.out'");
}

Test(error, a_text_that_ends_in_a_colon_gets_the_reason)
{
	struct error err = {0};

	error_set(&err, -ENOENT, "cannot open '%s': ", "a.out");
	cr_assert_str_eq(err.text, "cannot open 'a.out': No such file or directory");
}

Test(error, a_caller_that_wants_no_text_may_pass_null)
{
	cr_assert_eq(error_set(NULL, -EINVAL, "unseen"), -EINVAL);
}

Test(error, a_long_text_is_cut_and_terminated)
{
	struct error err;
	char name[1000];

	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	error_set(&err, -EINVAL, "%s: ", name);
	cr_assert_eq(strlen(err.text), sizeof(err.text) - 1);
}
