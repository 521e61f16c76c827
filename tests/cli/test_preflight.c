/* SPDX-License-Identifier: MIT */
/* Verdicts about programs that are built for it, and about files of every other kind. */

#include "cli/launch/preflight.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbolize/util.h"
#include "tests/support/spawn.h"

static char folder[64];
static struct preflight result;

static void enter_folder(void)
{
	strcpy(folder, "/tmp/preflight-XXXXXX");
	cr_assert_not_null(mkdtemp(folder));
	cr_assert_eq(chdir(folder), 0);
}

static int run(const char *const argv[])
{
	struct spawn_result done;
	int status;

	if (spawn_run((char *const *)argv, NULL, &done) < 0)
		return -1;
	status = done.wait_status;
	spawn_done(&done);
	return status;
}

static void leave_folder(void)
{
	preflight_done(&result);
	cr_assert_eq(run((const char *[]){"/bin/rm", "-rf", folder, NULL}), 0);
}

TestSuite(preflight, .init = enter_folder, .fini = leave_folder, .timeout = 60);

static void write_file(const char *name, const char *text, mode_t mode)
{
	FILE *file = fopen(name, "w");

	cr_assert_not_null(file);
	fputs(text, file);
	fclose(file);
	cr_assert_eq(chmod(name, mode), 0);
}

/* Builds ./program, or skips the test where the compiler cannot. */
static void build(const char *compiler, const char *option)
{
	write_file("program.c", "int main(void) { return 0; }\n", 0644);
	if (run((const char *[]){compiler, option, "program.c", "-o", "program", NULL}) != 0)
		cr_skip_test("'%s %s' does not work here", compiler, option);
}

static void expect(const char *program, enum preflight_verdict verdict, const char *reason)
{
	preflight_done(&result);
	preflight_examine(program, &result);
	cr_expect_eq(result.verdict, verdict, "%s: verdict %d", program, result.verdict);
	cr_expect(strstr(result.reason, reason) && !*reason == !*result.reason, "%s: %s", program,
		  result.reason);
}

static void expect_path(const char *path, const char *interpreter)
{
	cr_expect_str_eq(result.path, path);
	cr_expect_str_eq(result.interpreter ? result.interpreter : "", interpreter);
}

Test(preflight, dynamic_program_is_entered)
{
	build("cc", "-O1");
	expect("./program", PREFLIGHT_OK, "");
	expect_path("./program", "");
}

Test(preflight, static_programs_are_named)
{
	build("cc", "-static");
	expect("./program", PREFLIGHT_NOT_PROFILED, "'./program' is statically linked");
	cr_expect_not(result.keep_out, "its children may be dynamic");
	build("cc", "-static-pie");
	expect("./program", PREFLIGHT_NOT_PROFILED, "'./program' is statically linked");
}

Test(preflight, program_without_any_library_is_static)
{
	write_file("program.c", "void _start(void) { for (;;) ; }\n", 0644);
	cr_assert_eq(run((const char *[]){"cc", "-nostdlib", "-static", "program.c", "-o",
					  "program", NULL}),
		     0);
	expect("./program", PREFLIGHT_NOT_PROFILED, "is statically linked");
}

Test(preflight, dynamic_linker_is_entered_with_its_program)
{
	if (access("/lib64/ld-linux-x86-64.so.2", X_OK) < 0)
		cr_skip_test("another machine");
	expect("/lib64/ld-linux-x86-64.so.2", PREFLIGHT_OK, "");
}

Test(preflight, program_of_another_class_is_kept_clear_of)
{
	build("cc", "-m32");
	expect("./program", PREFLIGHT_NOT_PROFILED, "is a 32-bit program for");
	cr_expect(result.keep_out);
}

Test(preflight, program_of_another_c_library_is_named)
{
	build("musl-gcc", "-O1");
	expect("./program", PREFLIGHT_NOT_PROFILED, "another C library");
	cr_expect_not(result.keep_out);
}

Test(preflight, go_programs_are_named)
{
	write_file("program.go", "package main\nfunc main() {}\n", 0644);
	if (run((const char *[]){"go", "build", "-o", "program", "program.go", NULL}) != 0)
		cr_skip_test("no Go");
	preflight_examine("./program", &result);
	cr_expect_eq(result.verdict, PREFLIGHT_NOT_PROFILED);
	cr_expect(strstr(result.hint, "runtime/pprof"));
}

Test(preflight, missing_programs_are_not_found)
{
	expect("no-such-program", PREFLIGHT_NOT_FOUND, "'no-such-program' is not found in PATH");
	cr_expect_str_eq(result.hint, "");
	expect("./no-such-program", PREFLIGHT_NOT_FOUND, "'./no-such-program' is not found");
	expect("", PREFLIGHT_NOT_FOUND, "'' is not found");
	cr_assert_eq(symlink("nowhere", "dangling"), 0);
	expect("./dangling", PREFLIGHT_NOT_FOUND, "'./dangling' is not found");
	write_file("here", "", 0755);
	expect("here", PREFLIGHT_NOT_FOUND, "'here' is not found in PATH");
	cr_expect(strstr(result.hint, "'./here'"));
}

Test(preflight, files_that_are_no_programs_are_not_runnable)
{
	expect(folder, PREFLIGHT_NOT_RUNNABLE, "is a directory");
	expect("/dev/null", PREFLIGHT_NOT_RUNNABLE, "'/dev/null' is not a regular file");
	expect("/dev/zero", PREFLIGHT_NOT_RUNNABLE, "is not a regular file");
	cr_assert_eq(mkfifo("fifo", 0777), 0);
	expect("./fifo", PREFLIGHT_NOT_RUNNABLE, "is not a regular file");
	write_file("text", "echo\n", 0644);
	expect("./text", PREFLIGHT_NOT_RUNNABLE, "'./text' is not executable");
	cr_expect_str_eq(result.hint, "chmod +x './text'");
	expect("./text/x", PREFLIGHT_NOT_RUNNABLE, "Not a directory");
	cr_assert_eq(symlink("loop", "loop"), 0);
	expect("./loop", PREFLIGHT_NOT_RUNNABLE, "Too many levels");
}

Test(preflight, path_is_searched_as_execvp_does)
{
	cr_assert_eq(mkdir("first", 0755), 0);
	cr_assert_eq(mkdir("second", 0755), 0);
	write_file("first/tool", "", 0644);
	setenv("PATH", "first:nowhere:second", 1);
	expect("tool", PREFLIGHT_NOT_RUNNABLE, "'first/tool' is not executable");
	write_file("second/tool", "#!/bin/sh\n", 0755);
	expect("tool", PREFLIGHT_OK, "");
	expect_path("second/tool", "/bin/sh");
	write_file("tool", "#!/bin/sh\n", 0755);
	setenv("PATH", "first::second", 1);
	expect("tool", PREFLIGHT_OK, "");
	expect_path("tool", "/bin/sh");
	unsetenv("PATH");
	expect("sh", PREFLIGHT_OK, "");
	expect_path("/bin/sh", "");
}

Test(preflight, scripts_are_followed_to_their_interpreter)
{
	char text[128];

	write_file("one", "#!/bin/sh -e\n", 0755);
	expect("./one", PREFLIGHT_OK, "");
	expect_path("./one", "/bin/sh");
	snprintf(text, sizeof(text), "#!%s/one\n", folder);
	write_file("two", text, 0755);
	expect("./two", PREFLIGHT_OK, "");
	expect_path("./two", "/bin/sh");
	write_file("plain", "echo without a first line\n", 0755);
	expect("./plain", PREFLIGHT_OK, "");
	expect_path("./plain", "/bin/sh");
	setenv("PATH", folder, 1);
	write_file("three", "#!/usr/bin/env one\n", 0755);
	expect("three", PREFLIGHT_OK, "");
	cr_expect_str_eq(result.interpreter, "/bin/sh");
}

Test(preflight, static_interpreter_is_named_with_its_script)
{
	char text[128];

	build("cc", "-static");
	snprintf(text, sizeof(text), "#!%s/program\n", folder);
	write_file("script", text, 0755);
	expect("./script", PREFLIGHT_NOT_PROFILED, "'./script' is run by '/tmp/preflight-");
	expect("./script", PREFLIGHT_NOT_PROFILED, "/program', which is statically linked");
}

Test(preflight, interpreters_that_are_missing_are_named)
{
	char text[128];

	write_file("script", "#!/no/such/interpreter -x\n", 0755);
	expect("./script", PREFLIGHT_NOT_FOUND, "'/no/such/interpreter'");
	write_file("dos", "#!/bin/sh\r\n", 0755);
	expect("./dos", PREFLIGHT_NOT_FOUND, "carriage return");
	/* It would run itself for ever; the kernel says how often. */
	snprintf(text, sizeof(text), "#!%s/self\n", folder);
	write_file("self", text, 0755);
	expect("./self", PREFLIGHT_OK, "");
}

Test(preflight, missing_dynamic_linker_is_named)
{
	build("cc", "-Wl,--dynamic-linker=/no/such/ld.so");
	expect("./program", PREFLIGHT_NOT_FOUND, "the dynamic linker '/no/such/ld.so'");
}

/* What root may do: give a file away. */
static void give(uid_t user, gid_t group, mode_t mode)
{
	cr_assert_eq(chown("program", user, group), 0);
	cr_assert_eq(chmod("program", mode), 0);
}

Test(preflight, set_id_programs_that_change_ids_are_named)
{
	if (geteuid() != 0)
		cr_skip_test("only root can make such files");
	build("cc", "-O1");
	give(1, 0, 04755);
	expect("./program", PREFLIGHT_NOT_PROFILED, "'./program' changes its user (set-id)");
	give(0, 1, 02755);
	expect("./program", PREFLIGHT_NOT_PROFILED, "'./program' changes its group (set-id)");
	give(0, 1, 02745);
	expect("./program", PREFLIGHT_OK, "");
	give(0, 0, 06755);
	expect("./program", PREFLIGHT_OK, "");
}

Test(preflight, privileges_of_an_ordinary_user)
{
	if (geteuid() != 0)
		cr_skip_test("only root can make such files");
	build("cc", "-O1");
	cr_assert_eq(chmod(folder, 0755), 0);
	give(0, 0, 04755);
	cr_assert_eq(setresuid(65534, 65534, 0), 0);
	expect("./program", PREFLIGHT_NOT_PROFILED, "changes its user");
	cr_expect(strstr(result.hint, "as root"));
	cr_assert_eq(setresuid(0, 0, 0), 0);
	give(0, 0, 0755);
	if (run((const char *[]){"setcap", "cap_net_raw+ep", "program", NULL}) != 0)
		cr_skip_test("no file capabilities here");
	expect("./program", PREFLIGHT_OK, "");
	cr_assert_eq(setresuid(65534, 65534, 0), 0);
	expect("./program", PREFLIGHT_NOT_PROFILED, "'./program' has file capabilities");
	cr_assert_eq(setresuid(0, 0, 0), 0);
}

/* No truncation and no flipped bit of its headers may do more than change the verdict. */
Test(preflight, broken_files_do_no_harm)
{
	unsigned char head[1024];
	AUTO_CLOSE int fd = -1;
	off_t size;

	build("cc", "-O1");
	fd = open("program", O_RDWR | O_CLOEXEC);
	size = lseek(fd, 0, SEEK_END);
	cr_assert_eq(pread(fd, head, sizeof(head), 0), sizeof(head));
	for (size_t i = 0; i < 8 * sizeof(head); i++) {
		unsigned char changed = head[i / 8] ^ (unsigned char)(1 << i % 8);

		cr_assert_eq(pwrite(fd, &changed, 1, (off_t)(i / 8)), 1);
		preflight_done(&result);
		preflight_examine("./program", &result);
		cr_assert_eq(pwrite(fd, &head[i / 8], 1, (off_t)(i / 8)), 1);
	}
	for (; size >= 0; size -= size > 2048 ? 512 : 1) {
		cr_assert_eq(ftruncate(fd, size), 0);
		preflight_done(&result);
		preflight_examine("./program", &result);
		if (size > 4 && size < 64)
			cr_expect_eq(result.verdict, PREFLIGHT_NOT_RUNNABLE);
	}
}
