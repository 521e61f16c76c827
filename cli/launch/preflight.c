/* SPDX-License-Identifier: MIT */
/* From the file that exec would take along its interpreters to the program that is executed. */

#include "cli/launch/preflight.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/launch/preflight_elf.h"
#include "cli/launch/preflight_judge.h"
#include "cli/launch/preflight_refuse.h"
#include "cli/launch/preflight_say.h"
#include "cli/launch/preflight_script.h"
#include "cli/launch/preflight_search.h"
#include "symbolize/util.h"

/* The kernel gives up after as many interpreters. */
#define INTERPRETERS_MAX 5

/* How a message calls the program that it is about. */
struct subject {
	char text[2 * PREFLIGHT_NAME_SHOWN + 64];
};

static void refuse_interpreter(struct preflight *result, const char *name)
{
	size_t length = strlen(name);

	if (length > 0 && name[length - 1] == '\r') {
		preflight_judge(result, PREFLIGHT_NOT_FOUND,
				"'%s' is a script whose first line ends with a carriage return",
				preflight_shown(result->path));
		preflight_hint(result, "give it Unix line ends");
	} else {
		preflight_judge(result, PREFLIGHT_NOT_FOUND,
				"'%s' is a script for '%.*s', which does not exist",
				preflight_shown(result->path), PREFLIGHT_NAME_SHOWN, name);
	}
}

static void name_interpreter(struct preflight *result, struct subject *subject, const char *path)
{
	free(result->interpreter);
	result->interpreter = strdup(path);
	snprintf(subject->text, sizeof(subject->text), "'%s' is run by '%s', which",
		 preflight_shown(result->path), preflight_shown(path));
}

/* The program that the script will be run by; NULL when that is not known, or was judged. */
static char *find_interpreter(struct preflight *result, const struct preflight_script *script,
			      struct stat *status)
{
	AUTO_FREE char *path = NULL;

	if (stat(script->interpreter, status) < 0) {
		if (errno == ENOENT)
			refuse_interpreter(result, script->interpreter);
		return NULL;
	}
	path = strdup(script->interpreter);
	if (script->searched[0]) {
		free(path);
		if (preflight_search(script->searched, &path, status) < 0)
			return NULL;
	}
	return steal_ptr(path);
}

static void follow(struct preflight *result, const char *program)
{
	struct preflight_script script;
	struct preflight_elf elf;
	struct subject subject;
	struct stat status;
	AUTO_FREE char *path = strdup(program);

	snprintf(subject.text, sizeof(subject.text), "'%s'", preflight_shown(program));
	for (int depth = 0; path && depth <= INTERPRETERS_MAX; depth++) {
		AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		char head[PREFLIGHT_HEAD];
		ssize_t length;

		if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode))
			return;
		length = pread(fd, head, sizeof(head), 0);
		if (length < 0)
			return;
		preflight_elf_read(fd, &elf);
		if (elf.kind != PREFLIGHT_ELF_NONE) {
			preflight_judge_elf(result, subject.text, path, &status, &elf);
			return;
		}
		/* What the kernel does not know is given to a shell by execvp(3). */
		if (!preflight_script_parse(head, (size_t)length, &script))
			preflight_script_parse("#!/bin/sh", strlen("#!/bin/sh"), &script);
		free(path);
		path = find_interpreter(result, &script, &status);
		if (path)
			name_interpreter(result, &subject, path);
	}
}

void preflight_examine(const char *program, struct preflight *ret_result)
{
	struct stat status;
	int code;

	*ret_result = (struct preflight){.verdict = PREFLIGHT_OK};
	code = preflight_search(program, &ret_result->path, &status);
	if (code < 0)
		preflight_refuse(ret_result, program, ret_result->path, code);
	else
		follow(ret_result, ret_result->path);
}

void preflight_done(struct preflight *result)
{
	free(result->path);
	free(result->interpreter);
}
