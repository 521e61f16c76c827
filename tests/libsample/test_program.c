/* SPDX-License-Identifier: MIT */
/* Which programs the preload will enter, of files as compilers and editors leave them. */

#include "libsample/program.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/spawn.h"

static char folder[] = "/tmp/test-program-XXXXXX";
static char file[PATH_MAX];
static struct program program;

static void begin(void)
{
	cr_assert_not_null(mkdtemp(folder));
	snprintf(file, sizeof(file), "%s/program", folder);
}

static void end(void)
{
	unlink(file);
	rmdir(folder);
}

static void write_file(const char *text)
{
	FILE *stream = fopen(file, "w");

	cr_assert_not_null(stream);
	fputs(text, stream);
	fclose(stream);
	chmod(file, 0755);
}

static void build(const char *compiler, const char *option)
{
	char source[] = "printf 'int main(void) { return 0; }' | $0 $1 -x c - -o $2";
	char *command[] = {(char[]){"sh"}, (char[]){"-c"}, source, (char *)compiler,
			   (char *)option, file,	   NULL};
	struct spawn_result result;
	int status;

	cr_assert_eq(spawn_run(command, NULL, &result), 0);
	status = result.wait_status;
	spawn_done(&result);
	if (status != 0)
		cr_skip_test("cannot be built here");
}

static void expect(enum program_kind kind)
{
	program_examine(AT_FDCWD, file, &program);
	cr_expect_eq(program.kind, kind, "kind %d, not %d", program.kind, kind);
	cr_expect_str_eq(program.path, kind == PROGRAM_OPEN ? "" : file);
}

TestSuite(program, .init = begin, .fini = end);

Test(program, dynamic_ones_are_entered)
{
	build("cc", "-pie");
	expect(PROGRAM_OPEN);
	build("cc", "-no-pie");
	expect(PROGRAM_OPEN);
}

Test(program, static_ones_are_not)
{
	build("cc", "-static");
	expect(PROGRAM_CLOSED);
}

Test(program, another_c_library_is_told_by_its_linker)
{
	build("musl-gcc", "-O1");
	expect(PROGRAM_CLOSED);
}

Test(program, thirty_two_bits_are_foreign)
{
	build("cc", "-m32");
	expect(PROGRAM_FOREIGN);
}

Test(program, other_rights_close_it)
{
	build("cc", "-O1");
	chmod(file, 04755);
	expect(PROGRAM_CLOSED);
}

Test(program, scripts_are_what_runs_them)
{
	write_file("#! /bin/sh -e\n");
	expect(PROGRAM_OPEN);
	write_file("#!/no/such/interpreter\n");
	program_examine(AT_FDCWD, file, &program);
	cr_expect_eq(program.kind, PROGRAM_NONE);
}

/* The kernel gives up on it; so does this. */
Test(program, a_script_that_runs_itself_ends)
{
	char text[PATH_MAX + 8];

	snprintf(text, sizeof(text), "#!%s\n", file);
	write_file(text);
	program_examine(AT_FDCWD, file, &program);
	cr_expect_eq(program.kind, PROGRAM_OPEN);
}

Test(program, broken_files_are_left_to_exec)
{
	write_file("");
	expect(PROGRAM_OPEN);
	write_file("\x7f"
		   "ELF");
	expect(PROGRAM_OPEN);
	write_file("#!");
	expect(PROGRAM_OPEN);
	write_file("#! \n");
	expect(PROGRAM_OPEN);
}

Test(program, any_pointer_may_be_a_path)
{
	program_examine(AT_FDCWD, NULL, &program);
	cr_expect_eq(program.kind, PROGRAM_NONE);
	program_examine(AT_FDCWD, (const char *)1, &program);
	cr_expect_eq(program.kind, PROGRAM_NONE);
	program_examine_open(-1, &program);
	cr_expect_eq(program.kind, PROGRAM_OPEN);
}

Test(program, is_searched_like_execvp_does)
{
	build("cc", "-static");
	setenv("PATH", "/no/such/folder::/usr/bin", 1);
	program_search("program", &program);
	cr_expect_eq(program.kind, PROGRAM_NONE);
	setenv("PATH", folder, 1);
	program_search("program", &program);
	cr_expect_eq(program.kind, PROGRAM_CLOSED);
	cr_expect_str_eq(program.path, file);
	program_search(file, &program);
	cr_expect_eq(program.kind, PROGRAM_CLOSED);
}
