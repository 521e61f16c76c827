/* SPDX-License-Identifier: MIT */
/* From the file that exec would take, along its interpreters, to a verdict with its reason. */

#include "cli/preflight.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "cli/preflight_elf.h"
#include "cli/preflight_privilege.h"
#include "cli/preflight_script.h"
#include "cli/preflight_search.h"
#include "symbolize/util.h"

/* The kernel gives up after as many interpreters. */
#define INTERPRETERS_MAX 5

#define NAME_SHOWN 100

/* How a message calls the program that it is about. */
struct subject {
	char text[2 * NAME_SHOWN + 64];
};

__attribute__((format(printf, 3, 4))) static void
judge(struct preflight *result, enum preflight_verdict verdict, const char *format, ...)
{
	va_list arguments;

	result->verdict = verdict;
	va_start(arguments, format);
	vsnprintf(result->reason, sizeof(result->reason), format, arguments);
	va_end(arguments);
}

__attribute__((format(printf, 2, 3))) static void hint(struct preflight *result, const char *format,
						       ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(result->hint, sizeof(result->hint), format, arguments);
	va_end(arguments);
}

/* Of a long path the end, which tells more than its beginning. */
static const char *shown(const char *path)
{
	size_t length = strlen(path);

	return length > NAME_SHOWN ? path + length - NAME_SHOWN : path;
}

static void refuse_access(struct preflight *result, const char *path)
{
	const char *name = shown(path);
	struct statvfs mount;
	struct stat status;

	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		judge(result, PREFLIGHT_NOT_RUNNABLE, "'%s' is not a regular file", name);
	} else if (statvfs(path, &mount) == 0 && (mount.f_flag & ST_NOEXEC)) {
		judge(result, PREFLIGHT_NOT_RUNNABLE,
		      "'%s' is on a file system that is mounted noexec", name);
	} else if (stat(path, &status) == 0 && !(status.st_mode & 0111)) {
		judge(result, PREFLIGHT_NOT_RUNNABLE, "'%s' is not executable", name);
		hint(result, "chmod +x '%s'", name);
	} else {
		judge(result, PREFLIGHT_NOT_RUNNABLE, "'%s' cannot be executed: %s", name,
		      strerror(EACCES));
	}
}

/* Says why exec will fail with @code; @path is NULL when no file was found. */
static void refuse(struct preflight *result, const char *program, const char *path, int code)
{
	const char *name = shown(path ? path : program);

	if (code == -EACCES && path) {
		refuse_access(result, path);
	} else if (code == -EISDIR) {
		judge(result, PREFLIGHT_NOT_RUNNABLE, "'%s' is a directory", name);
	} else if (code == -ENOENT && strchr(program, '/')) {
		judge(result, PREFLIGHT_NOT_FOUND, "'%s' is not found", name);
	} else if (code == -ENOENT) {
		judge(result, PREFLIGHT_NOT_FOUND, "'%s' is not found in PATH", name);
		if (*program && access(program, X_OK) == 0)
			hint(result, "there is one here: './%s'", name);
	} else {
		judge(result, PREFLIGHT_NOT_RUNNABLE, "'%s' cannot be executed: %s", name,
		      strerror(-code));
	}
}

static void judge_static(struct preflight *result, const char *subject, bool go)
{
	judge(result, PREFLIGHT_NOT_PROFILED, "%s is statically linked", subject);
	hint(result, "%s",
	     go ? "Go programs can profile themselves: see its package runtime/pprof"
		: "link it dynamically");
}

static const char *machine_name(unsigned machine)
{
	static const struct {
		unsigned machine;
		const char *name;
	} names[] = {
		{EM_386, "x86"},	 {EM_X86_64, "x86-64"}, {EM_ARM, "ARM"},
		{EM_AARCH64, "aarch64"}, {EM_RISCV, "RISC-V"},	{EM_PPC64, "PowerPC"},
		{EM_S390, "S/390"},	 {EM_MIPS, "MIPS"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].machine == machine)
			return names[i].name;
	return "another machine";
}

/* glibc's own name for it; other C libraries have other ones. */
static bool is_glibc_linker(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return strncmp(name, "ld-linux", strlen("ld-linux")) == 0 ||
	       strncmp(name, "ld-lsb", strlen("ld-lsb")) == 0;
}

static void judge_dynamic(struct preflight *result, const char *subject,
			  const struct preflight_elf *elf)
{
	if (access(elf->linker, F_OK) < 0 && errno == ENOENT) {
		judge(result, PREFLIGHT_NOT_FOUND,
		      "%s needs the dynamic linker '%.*s', which does not exist", subject,
		      NAME_SHOWN, elf->linker);
	} else if (!is_glibc_linker(elf->linker)) {
		judge(result, PREFLIGHT_NOT_PROFILED,
		      "%s is linked with another C library than glibc ('%.*s')", subject,
		      NAME_SHOWN, elf->linker);
		hint(result, "link it with glibc");
		result->keep_out = true;
	} else if (elf->go) {
		judge(result, PREFLIGHT_NOT_PROFILED,
		      "%s is a Go program, whose runtime takes every signal for itself", subject);
		hint(result, "Go programs can profile themselves: see its package runtime/pprof");
	} else if (elf->sanitizer[0]) {
		result->sanitizer = strdup(elf->sanitizer);
	}
}

/* A privileged program gets no preload, whatever else it is. True when that was said. */
static bool judge_privilege(struct preflight *result, const char *subject, const char *path,
			    const struct stat *status)
{
	/* As root the ids of a file of root's change nothing, and capabilities neither. */
	static const struct {
		const char *reason, *hint;
	} texts[] = {
		[PREFLIGHT_PRIVILEGE_USER] = {"changes its user (set-id)",
					      "profile a copy of it, which is not set-id"},
		[PREFLIGHT_PRIVILEGE_GROUP] = {"changes its group (set-id)",
					       "profile a copy of it, which is not set-id"},
		[PREFLIGHT_PRIVILEGE_CAPABILITIES] =
			{"has file capabilities",
			 "run profrun as root, or profile a copy of it, which has none"},
		[PREFLIGHT_PRIVILEGE_OURS] = {"is started by a user who is not the real one", ""},
	};
	enum preflight_privilege privilege = preflight_privilege_find(path, status);

	if (privilege == PREFLIGHT_PRIVILEGE_NONE)
		return false;
	judge(result, PREFLIGHT_NOT_PROFILED, "%s %s", subject, texts[privilege].reason);
	hint(result, "%s", texts[privilege].hint);
	if (privilege == PREFLIGHT_PRIVILEGE_USER && status->st_uid == 0)
		hint(result, "run profrun as root, or profile a copy of it, which is not set-id");
	return true;
}

static void judge_elf(struct preflight *result, const char *subject, const char *path,
		      const struct stat *status, const struct preflight_elf *elf)
{
	if (elf->kind == PREFLIGHT_ELF_BROKEN) {
		judge(result, PREFLIGHT_NOT_RUNNABLE, "%s is no complete executable ELF file",
		      subject);
	} else if (elf->kind == PREFLIGHT_ELF_FOREIGN) {
		judge(result, PREFLIGHT_NOT_PROFILED, "%s is a %u-bit program for %s", subject,
		      elf->bits, machine_name(elf->machine));
		hint(result, "build it for this machine, with 64 bits");
		result->keep_out = true;
	} else if (judge_privilege(result, subject, path, status)) {
		return;
	} else if (elf->kind == PREFLIGHT_ELF_STATIC) {
		judge_static(result, subject, elf->go);
	} else if (elf->kind == PREFLIGHT_ELF_DYNAMIC) {
		judge_dynamic(result, subject, elf);
	}
}

static void refuse_interpreter(struct preflight *result, const char *name)
{
	size_t length = strlen(name);

	if (length > 0 && name[length - 1] == '\r') {
		judge(result, PREFLIGHT_NOT_FOUND,
		      "'%s' is a script whose first line ends with a carriage return",
		      shown(result->path));
		hint(result, "give it Unix line ends");
	} else {
		judge(result, PREFLIGHT_NOT_FOUND,
		      "'%s' is a script for '%.*s', which does not exist", shown(result->path),
		      NAME_SHOWN, name);
	}
}

static void name_interpreter(struct preflight *result, struct subject *subject, const char *path)
{
	free(result->interpreter);
	result->interpreter = strdup(path);
	snprintf(subject->text, sizeof(subject->text), "'%s' is run by '%s', which",
		 shown(result->path), shown(path));
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

	snprintf(subject.text, sizeof(subject.text), "'%s'", shown(program));
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
			judge_elf(result, subject.text, path, &status, &elf);
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
		refuse(ret_result, program, ret_result->path, code);
	else
		follow(ret_result, ret_result->path);
}

void preflight_done(struct preflight *result)
{
	free(result->path);
	free(result->interpreter);
	free(result->sanitizer);
}
