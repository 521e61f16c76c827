/* SPDX-License-Identifier: MIT */
/* What the name of an output stands for. */

#include "cli/output_path.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "symbolize/util.h"

#define LINKS_MAX 40 /* as the kernel follows */

static const char *const standard_names[] = {
	[STDIN_FILENO] = "/dev/stdin",
	[STDOUT_FILENO] = "/dev/stdout",
	[STDERR_FILENO] = "/dev/stderr",
};

static const char *const descriptor_folders[] = {
	"/dev/fd/",
	"/proc/self/fd/",
	"/proc/thread-self/fd/",
};

/*
 * The descriptor that @name means, or -1. Opening such a name would, where the descriptor is a
 * regular file, start another offset in it and overwrite what the target wrote there.
 */
static int descriptor_of(const char *name)
{
	if (strcmp(name, "-") == 0)
		return STDOUT_FILENO;
	for (size_t i = 0; i < ARRAY_SIZE(standard_names); i++) {
		if (strcmp(name, standard_names[i]) == 0)
			return (int)i;
	}
	for (size_t i = 0; i < ARRAY_SIZE(descriptor_folders); i++) {
		size_t length = strlen(descriptor_folders[i]);
		const char *number = name + length;

		if (strncmp(name, descriptor_folders[i], length) == 0 &&
		    isdigit((unsigned char)*number) &&
		    number[strspn(number, "0123456789")] == '\0' && strlen(number) < 10)
			return atoi(number);
	}
	return -1;
}

/* The links in /proc lead to open files that may have no name: they cannot be followed by name. */
static bool is_in_proc(const char *path)
{
	const char *slash = strrchr(path, '/');
	AUTO_FREE char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	struct statfs file_system;

	return folder && statfs(folder, &file_system) == 0 &&
	       file_system.f_type == PROC_SUPER_MAGIC;
}

/* Replaces *path by where the symbolic link there leads. */
static int follow_link(char **path)
{
	char target[PATH_MAX];
	ssize_t length = readlink(*path, target, sizeof(target) - 1);
	const char *slash = strrchr(*path, '/');
	char *next;

	if (length < 0)
		return -errno;
	target[length] = '\0';
	if (target[0] == '/' || !slash)
		next = strdup(target);
	else if (asprintf(&next, "%.*s%s", (int)(slash - *path) + 1, *path, target) < 0)
		next = NULL;
	if (!next)
		return -ENOMEM;
	free(*path);
	*path = next;
	return 0;
}

/* What stands at the end of all links. */
static int examine(const char *path, bool *ret_in_place)
{
	struct stat status;

	if (stat(path, &status) < 0)
		return errno == ENOENT ? 0 : -errno;
	if (S_ISDIR(status.st_mode))
		return -EISDIR;
	*ret_in_place = !S_ISREG(status.st_mode);
	return 0;
}

int output_path_resolve(const char *name, struct output_path *ret_path)
{
	AUTO_FREE char *path = strdup(name);
	struct output_path found = {.descriptor = -1};
	struct stat status;
	int code;

	if (!path)
		return -ENOMEM;
	for (int links = 0;; links++) {
		found.descriptor = descriptor_of(path);
		if (found.descriptor >= 0) {
			*ret_path = found;
			return 0;
		}
		if (lstat(path, &status) < 0 || !S_ISLNK(status.st_mode))
			break;
		found.in_place = is_in_proc(path);
		if (found.in_place)
			break;
		code = links < LINKS_MAX ? follow_link(&path) : -ELOOP;
		if (code < 0)
			return code;
	}
	code = found.in_place ? 0 : examine(path, &found.in_place);
	if (code < 0)
		return code;
	found.path = steal_ptr(path);
	*ret_path = found;
	return 0;
}
