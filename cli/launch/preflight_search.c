/* SPDX-License-Identifier: MIT */
/* The rules of execvp(3): PATH in order, and a file that may not be executed is passed over. */

#include "cli/launch/preflight_search.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "symbolize/util.h"

/* What glibc searches without a PATH. */
#define DEFAULT_PATH "/bin:/usr/bin"

/* Would exec take this file? 0 or the negative errno that it fails with. */
static int check(const char *path, struct stat *status)
{
	if (stat(path, status) < 0)
		return -errno;
	if (S_ISDIR(status->st_mode))
		return -EISDIR;
	if (!S_ISREG(status->st_mode))
		return -EACCES;
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0 ? -errno : 0;
}

static char *join(const char *dir, size_t length, const char *name)
{
	char *path;

	if (length == 0)
		return strdup(name);
	return asprintf(&path, "%.*s/%s", (int)length, dir, name) < 0 ? NULL : path;
}

static int search_in(const char *dirs, const char *name, char **ret_path, struct stat *status)
{
	AUTO_FREE char *refused = NULL;
	struct stat here;
	int code, result = -ENOENT;

	for (;;) {
		size_t length = strcspn(dirs, ":");
		AUTO_FREE char *path = join(dirs, length, name);

		if (!path)
			return -ENOMEM;
		code = check(path, &here);
		if (code == 0 || ((code == -EACCES || code == -EISDIR) && !refused)) {
			*status = here;
			free(refused);
			refused = steal_ptr(path);
			result = code;
		}
		dirs += length;
		if (code == 0 || !*dirs++)
			break;
	}
	*ret_path = steal_ptr(refused);
	return result;
}

int preflight_search(const char *program, char **ret_path, struct stat *ret_status)
{
	const char *dirs = getenv("PATH");

	*ret_path = NULL;
	if (!*program)
		return -ENOENT;
	if (!strchr(program, '/'))
		return search_in(dirs ? dirs : DEFAULT_PATH, program, ret_path, ret_status);
	*ret_path = strdup(program);
	return *ret_path ? check(program, ret_status) : -ENOMEM;
}
