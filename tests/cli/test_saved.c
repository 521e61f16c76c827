/* SPDX-License-Identifier: MIT */
/* Where the last run is kept. */

#include "cli/profile/saved.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void expect_path(const char *expected)
{
	struct error err;
	char *path;

	cr_assert_eq(saved_path(&path, &err), 0);
	cr_assert_str_eq(path, expected);
	free(path);
}

Test(saved, the_state_folder_goes_before_home)
{
	setenv("HOME", "/home/me", 1);
	setenv("XDG_STATE_HOME", "/state", 1);
	expect_path("/state/profrun/last.pb.gz");
	setenv("XDG_STATE_HOME", "relative", 1);
	expect_path("/home/me/.local/state/profrun/last.pb.gz");
	unsetenv("XDG_STATE_HOME");
	expect_path("/home/me/.local/state/profrun/last.pb.gz");
}

Test(saved, folders_are_made_and_the_file_is_the_users_alone)
{
	char folder[] = "/tmp/profrun-saved-XXXXXX", path[200], command[100];
	struct output output;
	struct stat status;
	struct error err;

	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/a/b", folder);
	setenv("XDG_STATE_HOME", path, 1);
	umask(0);
	cr_assert_eq(saved_open(&output, &err), 0, "%s", err.text);
	fputs("text", output.stream);
	cr_assert_eq(output_commit(&output, &err), 0);
	output_done(&output);
	snprintf(path, sizeof(path), "%s/a/b/profrun/last.pb.gz", folder);
	cr_assert_eq(stat(path, &status), 0);
	cr_assert_eq(status.st_mode & 07777, 0600);
	snprintf(path, sizeof(path), "%s/a/b/profrun", folder);
	cr_assert_eq(stat(path, &status), 0);
	cr_assert_eq(status.st_mode & 07777, 0700);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	cr_assert_eq(system(command), 0);
}

Test(saved, a_folder_that_cannot_be_made_is_a_line)
{
	struct output output;
	struct error err;

	setenv("XDG_STATE_HOME", "/dev/null/x", 1);
	cr_assert_lt(saved_open(&output, &err), 0);
	cr_assert_str_eq(err.text,
			 "cannot write '/dev/null/x/profrun/last.pb.gz': Not a directory");
}
