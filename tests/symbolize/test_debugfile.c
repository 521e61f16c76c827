/* SPDX-License-Identifier: MIT */
/* Symbols and debug information that were moved out of a file, and files that only look like it. */

#include "symbolize/symbolize.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbolize/util.h"
#include "tests/support/spawn.h"
#include "tests/symbolize/parts.h"

static char folder[] = "/tmp/test_debugfile.XXXXXX";

/* Runs a shell command in the folder; its exit status. */
static int shell(const char *command)
{
	char *const argv[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
	struct spawn_result result;
	int status;

	cr_assert_eq(spawn_run(argv, NULL, &result), 0);
	status = result.wait_status;
	cr_assert(WIFEXITED(status));
	spawn_done(&result);
	return WEXITSTATUS(status);
}

static void make(const char *commands)
{
	AUTO_FREE char *all = NULL;

	cr_assert_gt(asprintf(&all, "set -e; cd %s; PARTS='%s'; OBJCOPY='%s'; STRIP='%s'; %s",
			      folder, PARTS, OBJCOPY, STRIP, commands),
		     0);
	cr_assert_eq(shell(all), 0, "%s", all);
}

static void make_folder(void)
{
	cr_assert(mkdtemp(folder));
}

static void remove_folder(void)
{
	AUTO_FREE char *command = NULL;

	cr_assert_gt(asprintf(&command, "rm -rf %s", folder), 0);
	shell(command);
}

TestSuite(debugfile, .init = make_folder, .fini = remove_folder);

static struct sym_object *open_stripped(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/a.so", folder);
	return parts_open(path);
}

static bool has_note(const struct sym_object *object, const char *text)
{
	const char *note;

	for (size_t i = 0; (note = sym_object_note(object, i)); i++)
		if (strstr(note, text))
			return true;
	return false;
}

static void expect_found(const char *source)
{
	const struct parts parts = parts_load();
	struct sym_object *object = open_stripped();
	const char *name = parts_name(object, parts.hidden);

	cr_expect_str_eq(name ? name : "(none)", "parts_static");
	cr_expect_str_eq(sym_object_source(object), source);
	sym_object_close(object);
}

/* @why NULL: nothing is said about it. */
static void expect_unknown(const char *why)
{
	const struct parts parts = parts_load();
	struct sym_object *object = open_stripped();
	const char *name = parts_name(object, parts.hidden);

	cr_expect(name && strncmp(name, "func_", 5) == 0, "%s", name);
	cr_expect_eq(has_note(object, why ? why : ""), why != NULL);
	sym_object_close(object);
}

Test(debugfile, is_found_beside_the_file)
{
	make("$OBJCOPY --only-keep-debug $PARTS a.debug; $STRIP -s -o a.so $PARTS;"
	     "$OBJCOPY --add-gnu-debuglink=a.debug a.so");
	expect_found("debug file");
}

Test(debugfile, is_found_in_a_subfolder)
{
	make("mkdir .debug; $OBJCOPY --only-keep-debug $PARTS .debug/a.debug;"
	     "$STRIP -s -o a.so $PARTS; $OBJCOPY --add-gnu-debuglink=.debug/a.debug a.so");
	expect_found("debug file");
}

Test(debugfile, gives_lines)
{
	const struct parts parts = parts_load();
	struct sym_object *object;
	struct sym_answer answer;
	struct error err;

	make("$OBJCOPY --only-keep-debug $PARTS a.debug; $STRIP -s -o a.so $PARTS;"
	     "$OBJCOPY --add-gnu-debuglink=a.debug a.so");
	object = open_stripped();
	cr_assert_eq(sym_object_find(object, &parts.hidden, 1, SYM_LINES, &answer, &err), 0);
	cr_assert_eq(answer.frame_count, 1);
	cr_expect(answer.frames[0].file && strstr(answer.frames[0].file, "parts.c"));
	cr_expect_gt(answer.frames[0].line, 0);
	sym_object_close(object);
}

Test(debugfile, without_build_id_is_told_by_its_checksum)
{
	make("$OBJCOPY -R .note.gnu.build-id $PARTS b.so; $OBJCOPY --only-keep-debug b.so a.debug;"
	     "$STRIP -s -o a.so b.so; $OBJCOPY --add-gnu-debuglink=a.debug a.so");
	expect_found("debug file");
	make("echo >>a.debug");
	expect_unknown("checksum differs");
}

Test(debugfile, of_another_build_is_refused)
{
	make("$OBJCOPY --only-keep-debug $PARTS a.debug; $STRIP -s -o a.so $PARTS;"
	     "printf '\\4\\0\\0\\0\\4\\0\\0\\0\\3\\0\\0\\0GNU\\0abcd' >id;"
	     "$OBJCOPY --update-section .note.gnu.build-id=id a.so 2>/dev/null;"
	     "$OBJCOPY --add-gnu-debuglink=a.debug a.so");
	expect_unknown("build-id differs");
}

Test(debugfile, may_be_embedded)
{
	if (shell("command -v xz") != 0)
		cr_skip("no xz to pack with");
	make("$OBJCOPY -S --keep-symbol=parts_static $PARTS mini; xz mini;"
	     "$STRIP -s -o a.so $PARTS; $OBJCOPY --add-section .gnu_debugdata=mini.xz a.so");
	expect_found(".gnu_debugdata");
}

Test(debugfile, that_is_embedded_and_damaged_is_noted)
{
	make("echo nothing >mini; $STRIP -s -o a.so $PARTS;"
	     "$OBJCOPY --add-section .gnu_debugdata=mini a.so");
	expect_unknown(".gnu_debugdata");
}

Test(debugfile, that_is_missing_is_no_failure)
{
	const struct parts parts = parts_load();
	struct sym_object *object;

	make("$OBJCOPY --only-keep-debug $PARTS a.debug; $STRIP -s -o a.so $PARTS;"
	     "$OBJCOPY --add-gnu-debuglink=a.debug a.so; rm a.debug; mkfifo a.debug");
	object = open_stripped();
	cr_expect_str_eq(parts_name(object, parts.exported), "parts_exported");
	sym_object_close(object);
}

/* A folder may stand for a server. */
static void make_server(const char *id_commands)
{
	AUTO_FREE char *commands = NULL, *url = NULL, *cache = NULL;

	cr_assert_gt(asprintf(&commands,
			      "id=$(readelf -n $PARTS | sed -n 's/.*Build ID: //p'); %s;"
			      "mkdir -p server/buildid/$id; $STRIP -s -o a.so $PARTS;"
			      "$OBJCOPY --only-keep-debug $PARTS server/buildid/$id/debuginfo",
			      id_commands),
		     0);
	make(commands);
	cr_assert_gt(asprintf(&url, "file://%s/server", folder), 0);
	cr_assert_gt(asprintf(&cache, "%s/cache", folder), 0);
	setenv("DEBUGINFOD_URLS", url, 1);
	setenv("DEBUGINFOD_CACHE_PATH", cache, 1);
}

static bool can_fetch(void)
{
	void *library = dlopen("libdebuginfod.so.1", RTLD_NOW);

	return library && shell("command -v readelf") == 0;
}

Test(debugfile, is_fetched_when_that_is_allowed)
{
	if (!can_fetch())
		cr_skip("no libdebuginfod, or no readelf");
	make_server(":");
	expect_unknown(NULL);
	sym_allow_fetching(5);
	expect_found("debug file");
}

Test(debugfile, that_no_server_has_is_no_failure)
{
	if (!can_fetch())
		cr_skip("no libdebuginfod, or no readelf");
	make_server("id=0123456789");
	sym_allow_fetching(5);
	expect_unknown(NULL);
}
