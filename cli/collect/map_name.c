/* SPDX-License-Identifier: MIT */
/* A file may be called as the kernel calls others; nothing can be done about that. */

#include "cli/collect/map_name.h"

#include <string.h>

#include "symbolize/util.h"

bool map_name_is_file(const char *name)
{
	static const char *const made_up[] = {"//", "/memfd:", "/SYSV", "/dev/zero"};

	for (size_t i = 0; i < ARRAY_SIZE(made_up); i++) {
		if (strncmp(name, made_up[i], strlen(made_up[i])) == 0)
			return false;
	}
	return name[0] == '/';
}

size_t map_name_length(const char *name)
{
	static const char deleted[] = " (deleted)";
	size_t length = strlen(name), suffix = sizeof(deleted) - 1;

	if (length > suffix && strcmp(name + length - suffix, deleted) == 0)
		return length - suffix;
	return length;
}
