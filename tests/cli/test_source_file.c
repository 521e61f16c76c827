/* SPDX-License-Identifier: MIT */
/* The lines of a source file, and where one of them names a function. */

#include "cli/report/source_file.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static const char text[] = "int walk_all(void);\n"
			   "static int walk(int n)\r\n"
			   "{\n"
			   "\tint left = n; /* to walk_all */\n"
			   "\twhile (left)\n"
			   "\t\tleft--;\n"
			   "}";
static char path[] = "/tmp/profrun-source-XXXXXX";
static struct source_file source;

static void set_up(void)
{
	int fd = mkstemp(path);

	cr_assert_eq(write(fd, text, sizeof(text) - 1), (ssize_t)sizeof(text) - 1);
	close(fd);
	cr_assert_eq(source_file_read(path, &source), 0);
}

static void tear_down(void)
{
	source_file_done(&source);
	unlink(path);
}

TestSuite(source_file, .init = set_up, .fini = tear_down);

Test(source_file, has_lines_without_their_ends)
{
	cr_assert_eq(source.count, 7);
	cr_assert_str_eq(source_file_line(&source, 2), "static int walk(int n)");
	cr_assert_str_eq(source_file_line(&source, 7), "}");
	cr_assert_null(source_file_line(&source, 0));
	cr_assert_null(source_file_line(&source, 8));
}

Test(source_file, finds_the_nearest_line_above_with_a_word)
{
	cr_assert_eq(source_file_find_above(&source, 5, 10, "walk"), 2);
	cr_assert_eq(source_file_find_above(&source, 5, 10, "walk_all"), 4);
	cr_assert_eq(source_file_find_above(&source, 3, 10, "walk_all"), 1);
	cr_assert_eq(source_file_find_above(&source, 6, 3, "walk"), 0);
	cr_assert_eq(source_file_find_above(&source, 6, 10, "wal"), 0);
	cr_assert_eq(source_file_find_above(&source, 6, 10, ""), 0);
	cr_assert_eq(source_file_find_above(&source, 99, 200, "walk"), 2);
}

Test(source_file, must_be_a_file)
{
	struct source_file none;

	cr_assert_eq(source_file_read("/nowhere", &none), -ENOENT);
	cr_assert_eq(source_file_read("/dev/null", &none), -EINVAL);
	source_file_done(&none);
}
