/* SPDX-License-Identifier: MIT */
/* The files that profrun keeps open, found by what /proc calls them. */

#include "cli/live/kept_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Whether the link at @name in @folder is to @path, removed or not. */
static bool leads_to(int folder, const char *name, const char *path)
{
	static const char removed[] = " (deleted)";
	char target[PATH_MAX];
	size_t length = strlen(path);
	ssize_t size = readlinkat(folder, name, target, sizeof(target) - 1);

	if (size < (ssize_t)length)
		return false;
	target[size] = '\0';
	return memcmp(target, path, length) == 0 &&
	       (!target[length] || strcmp(target + length, removed) == 0);
}

int kept_file_open(pid_t pid, const char *path)
{
	const struct dirent *entry;
	int fd = -ENOENT;
	char name[32];
	DIR *folder;

	snprintf(name, sizeof(name), "/proc/%d/fd", (int)pid);
	folder = opendir(name);
	if (!folder)
		return -errno;
	while (fd == -ENOENT && (entry = readdir(folder))) {
		if (!leads_to(dirfd(folder), entry->d_name, path))
			continue;
		fd = openat(dirfd(folder), entry->d_name, O_RDONLY | O_CLOEXEC);
		fd = fd < 0 ? -errno : fd;
	}
	closedir(folder);
	return fd;
}
