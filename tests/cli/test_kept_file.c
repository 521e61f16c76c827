/* SPDX-License-Identifier: MIT */
/* Files that another process has open. */

#include "cli/live/kept_file.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/profrun-kept-XXXXXX";
static int kept;

static void make(void)
{
	kept = mkstemp(path);
	cr_assert_eq(write(kept, "old", 3), 3);
}

static void drop(void)
{
	unlink(path);
	close(kept);
}

TestSuite(kept_file, .init = make, .fini = drop);

static void expect_old(void)
{
	char text[4] = "";
	int fd = kept_file_open(getpid(), path);

	cr_assert_geq(fd, 0);
	cr_assert_neq(fd, kept);
	cr_assert_eq(read(fd, text, 3), 3);
	cr_assert_str_eq(text, "old");
	close(fd);
}

Test(kept_file, is_found_by_its_path)
{
	expect_old();
}

Test(kept_file, is_found_when_it_is_removed_or_another_has_its_name)
{
	FILE *file;

	unlink(path);
	expect_old();
	file = fopen(path, "w");
	fputs("new", file);
	fclose(file);
	expect_old();
}

Test(kept_file, what_nobody_keeps_is_not_found)
{
	char longer[sizeof(path) + 1];

	snprintf(longer, sizeof(longer), "%sx", path);
	cr_assert_eq(kept_file_open(getpid(), longer), -ENOENT);
	cr_assert_eq(kept_file_open(getpid(), "/"), -ENOENT);
	path[sizeof(path) - 2]++;
	cr_assert_eq(kept_file_open(getpid(), path), -ENOENT);
	path[sizeof(path) - 2]--;
}
