/* SPDX-License-Identifier: MIT */
/* Files that appear whole or not at all, and what is written in place. */

#include "cli/output.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/profrun-output-XXXXXX";
static char start[4096];

static void enter(void)
{
	cr_assert_not_null(getcwd(start, sizeof(start)));
	cr_assert_not_null(mkdtemp(folder));
	cr_assert_eq(chdir(folder), 0);
	umask(022);
}

static void leave(void)
{
	char command[100];

	cr_assert_eq(chdir(start), 0);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	cr_assert_eq(system(command), 0);
}

TestSuite(output, .init = enter, .fini = leave);

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	fputs(text, file);
	fclose(file);
}

static void expect_file(const char *path, const char *expected)
{
	char text[100] = "";
	FILE *file = fopen(path, "r");

	cr_assert_not_null(file, "%s", path);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	cr_assert_str_eq(text, expected);
}

static size_t count_files(void)
{
	DIR *files = opendir(".");
	size_t count = 0;

	while (readdir(files))
		count++;
	closedir(files);
	return count - 2;
}

static void write_whole(const char *pattern, const char *text)
{
	struct output output;
	struct error err;

	cr_assert_eq(output_open(pattern, 2, 0666, &output, &err), 0, "%s", err.text);
	fputs(text, output.stream);
	cr_assert_eq(output_commit(&output, &err), 0, "%s", err.text);
	output_done(&output);
}

static void refuse(const char *pattern, int code, const char *message)
{
	struct output output;
	struct error err;

	cr_assert_eq(output_open(pattern, 2, 0666, &output, &err), code, "%s", err.text);
	cr_assert_str_eq(err.text, message);
	output_done(&output);
}

Test(output, a_new_file_appears_when_it_is_whole)
{
	struct output output;
	struct error err;
	struct stat status;

	cr_assert_eq(output_open("new", 2, 0666, &output, &err), 0);
	cr_assert_eq(access("new", F_OK), -1);
	fputs("text", output.stream);
	cr_assert_eq(output_commit(&output, &err), 0, "%s", err.text);
	output_done(&output);
	expect_file("new", "text");
	cr_assert_eq(stat("new", &status), 0);
	cr_assert_eq(status.st_mode & 07777, 0644);
	cr_assert_eq(count_files(), 1);
}

Test(output, what_is_not_committed_leaves_no_trace)
{
	struct output output;
	struct error err;

	put("old", "before");
	cr_assert_eq(output_open("old", 2, 0666, &output, &err), 0);
	fputs("half", output.stream);
	output_done(&output);
	expect_file("old", "before");
	cr_assert_eq(output_open("new", 2, 0666, &output, &err), 0);
	output_done(&output);
	cr_assert_eq(count_files(), 1);
}

Test(output, an_old_file_keeps_its_mode_and_open_readers_their_text)
{
	struct stat status;
	char text[7] = "";
	int fd;

	put("old", "before");
	chmod("old", 0640);
	fd = open("old", O_RDONLY);
	write_whole("old", "after");
	expect_file("old", "after");
	cr_assert_eq(stat("old", &status), 0);
	cr_assert_eq(status.st_mode & 07777, 0640);
	cr_assert_eq(read(fd, text, 6), 6);
	cr_assert_str_eq(text, "before");
	close(fd);
	cr_assert_eq(count_files(), 1);
}

Test(output, symbolic_links_stay_and_lead_to_the_new_file)
{
	struct stat status;

	cr_assert_eq(mkdir("d", 0777), 0);
	put("d/file", "before");
	cr_assert_eq(symlink("d/link2", "link1"), 0);
	cr_assert_eq(symlink("file", "d/link2"), 0);
	write_whole("link1", "after");
	expect_file("d/file", "after");
	cr_assert_eq(lstat("link1", &status), 0);
	cr_assert(S_ISLNK(status.st_mode));
	cr_assert_eq(symlink("d/none", "dangling"), 0);
	write_whole("dangling", "new");
	expect_file("d/none", "new");
}

Test(output, a_loop_of_links_is_refused)
{
	cr_assert_eq(symlink("b", "a"), 0);
	cr_assert_eq(symlink("a", "b"), 0);
	refuse("a", -ELOOP, "cannot write 'a': Too many levels of symbolic links");
}

Test(output, a_folder_or_a_missing_one_is_refused)
{
	refuse(".", -EISDIR, "cannot write '.': Is a directory");
	refuse("none/file", -ENOENT, "cannot write 'none/file': No such file or directory");
	put("file", "");
	refuse("file/x", -ENOTDIR, "cannot write 'file/x': Not a directory");
	cr_assert_eq(count_files(), 1);
}

Test(output, an_unknown_pattern_is_refused)
{
	refuse("%z", -EINVAL, "'%z': '%z' is no pattern; one of %p, %h, %q{VAR}, %%");
}

Test(output, a_fifo_is_written_in_place)
{
	struct stat status;
	char text[5] = "";
	int fd;

	cr_assert_eq(mkfifo("fifo", 0666), 0);
	fd = open("fifo", O_RDONLY | O_NONBLOCK);
	write_whole("fifo", "text");
	cr_assert_eq(read(fd, text, 4), 4);
	cr_assert_str_eq(text, "text");
	cr_assert_eq(stat("fifo", &status), 0);
	cr_assert(S_ISFIFO(status.st_mode));
	close(fd);
}

Test(output, devices_are_written_in_place)
{
	struct stat status;

	write_whole("/dev/null", "text");
	cr_assert_eq(stat("/dev/null", &status), 0);
	cr_assert(S_ISCHR(status.st_mode));
}

Test(output, a_full_device_is_a_failure)
{
	struct output output;
	struct error err;

	cr_assert_eq(output_open("/dev/full", 2, 0666, &output, &err), 0);
	fputs("text", output.stream);
	cr_assert_eq(output_commit(&output, &err), -ENOSPC);
	cr_assert_str_eq(err.text, "cannot write '/dev/full': No space left on device");
	output_done(&output);
}

/* Which is long known when the end is reached, and errno with it gone. */
Test(output, a_device_that_is_full_in_the_middle_is_told_as_such)
{
	struct output output;
	struct error err;

	cr_assert_eq(output_open("/dev/full", 2, 0666, &output, &err), 0);
	fputs("text", output.stream);
	fflush(output.stream);
	cr_assert_eq(output_commit(&output, &err), -ENOSPC);
	output_done(&output);
}

Test(output, a_descriptor_is_written_behind_what_is_there)
{
	char name[32];
	int fd = open("file", O_WRONLY | O_CREAT, 0666);

	cr_assert_eq(write(fd, "target ", 7), 7);
	snprintf(name, sizeof(name), "/dev/fd/%d", fd);
	write_whole(name, "report");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	write_whole(name, " again");
	cr_assert_eq(symlink(name, "link"), 0);
	write_whole("link", "!");
	close(fd);
	expect_file("file", "target report again!");
	refuse("/dev/fd/987654", -EBADF, "cannot write '/dev/fd/987654': Bad file descriptor");
}

Test(output, without_a_name_the_fallback_is_written)
{
	struct output output;
	struct error err;
	int fd = open("file", O_WRONLY | O_CREAT, 0666);

	cr_assert_eq(output_open(NULL, fd, 0666, &output, &err), 0);
	fputs("text", output.stream);
	cr_assert_eq(output_commit(&output, &err), 0);
	output_done(&output);
	close(fd);
	expect_file("file", "text");
	cr_assert_eq(output_open(NULL, fd, 0666, &output, &err), -EBADF);
	cr_assert_str_eq(err.text, "cannot write the report: Bad file descriptor");
}

Test(output, a_closed_stderr_swallows_the_report)
{
	struct output output;
	struct error err;
	int saved = dup(2);

	for (int round = 0; round < 2; round++) {
		close(2);
		if (round == 1)
			cr_assert_eq(open("/", O_PATH), 2);
		cr_assert_eq(output_open(NULL, 2, 0666, &output, &err), 0);
		fputs("text", output.stream);
		cr_assert_eq(output_commit(&output, &err), 0);
		output_done(&output);
	}
	dup2(saved, 2);
}

Test(output, never_takes_a_standard_descriptor)
{
	struct output output;
	struct error err;
	int saved = dup(0);

	close(0);
	cr_assert_eq(output_open("new", 2, 0666, &output, &err), 0);
	cr_assert_gt(fileno(output.stream), 2);
	cr_assert(fcntl(fileno(output.stream), F_GETFD) & FD_CLOEXEC);
	output_done(&output);
	dup2(saved, 0);
}

Test(output, an_unwritable_file_is_refused_even_where_its_folder_is_writable)
{
	put("old", "before");
	chmod("old", 0444);
	if (geteuid() == 0)
		cr_assert_eq(seteuid(65534), 0);
	else
		chmod(".", 0777);
	refuse("old", -EACCES, "cannot write 'old': Permission denied");
	if (getuid() == 0)
		cr_assert_eq(seteuid(0), 0);
	expect_file("old", "before");
}

Test(output, a_reader_that_went_away_is_no_failure)
{
	struct output output;
	struct error err;
	char name[32];
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	close(ends[0]);
	signal(SIGPIPE, SIG_IGN);
	snprintf(name, sizeof(name), "/dev/fd/%d", ends[1]);
	cr_assert_eq(output_open(name, 2, 0666, &output, &err), 0);
	fputs("text", output.stream);
	cr_assert_eq(output_commit(&output, &err), 0);
	output_done(&output);
	close(ends[1]);
}
