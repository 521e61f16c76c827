/* SPDX-License-Identifier: MIT */
/* First lines of scripts, as the kernel and env(1) read them. */

#include "cli/launch/preflight_script.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect(const char *head, const char *interpreter, const char *searched)
{
	struct preflight_script script;

	cr_assert(preflight_script_parse(head, strlen(head), &script), "%s", head);
	cr_expect_str_eq(script.interpreter, interpreter);
	cr_expect_str_eq(script.searched, searched);
}

Test(preflight_script, first_word_is_the_interpreter)
{
	expect("#!/bin/sh\necho", "/bin/sh", "");
	expect("#! \t/bin/sh -eu \n", "/bin/sh", "");
	expect("#!/bin/sh", "/bin/sh", "");
	expect("#!sh\n", "sh", "");
	expect("#!/bin/sh\r\n", "/bin/sh\r", "");
	expect("#!\n/bin/sh", "", "");
	expect("#!", "", "");
}

Test(preflight_script, env_searches_for_its_own)
{
	expect("#!/usr/bin/env python3\n", "/usr/bin/env", "python3");
	expect("#!/bin/env  perl \n", "/bin/env", "perl");
	expect("#!/usr/bin/env -S python3 -u\n", "/usr/bin/env", "python3");
	expect("#!/usr/bin/env -S -i A=b -u C perl -w\n", "/usr/bin/env", "perl");
	expect("#!/usr/bin/environ python3\n", "/usr/bin/environ", "");
}

/* The kernel hands over all of the rest as one argument, which names no program. */
Test(preflight_script, env_without_dash_s_knows_one_word)
{
	expect("#!/usr/bin/env python3 -u\n", "/usr/bin/env", "");
	expect("#!/usr/bin/env -i\n", "/usr/bin/env", "");
	expect("#!/usr/bin/env A=b\n", "/usr/bin/env", "");
	expect("#!/usr/bin/env\n", "/usr/bin/env", "");
	expect("#!/usr/bin/env -S\n", "/usr/bin/env", "");
}

Test(preflight_script, other_files_are_no_scripts)
{
	struct preflight_script script;

	cr_expect_not(preflight_script_parse("\177ELF", 4, &script));
	cr_expect_not(preflight_script_parse("# !/bin/sh", 10, &script));
	cr_expect_not(preflight_script_parse("#", 1, &script));
	cr_expect_not(preflight_script_parse("", 0, &script));
}

Test(preflight_script, line_of_any_length_is_cut)
{
	struct preflight_script script;
	char head[2 * PREFLIGHT_HEAD];

	memset(head, 'x', sizeof(head));
	memcpy(head, "#!", 2);
	cr_assert(preflight_script_parse(head, sizeof(head), &script));
	cr_expect_eq(strlen(script.interpreter), PREFLIGHT_HEAD - 2);
	memcpy(head, "#!/env -S ", 10);
	cr_assert(preflight_script_parse(head, sizeof(head), &script));
	cr_expect_eq(strlen(script.searched), PREFLIGHT_HEAD - 10);
}
