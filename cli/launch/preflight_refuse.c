/* SPDX-License-Identifier: MIT */
/* What exec means by its errno, looked up in the file: EACCES alone has four reasons. */

#include "cli/launch/preflight_refuse.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cli/launch/preflight_say.h"

static void refuse_access(struct preflight *result, const char *path)
{
	const char *name = preflight_shown(path);
	struct statvfs mount;
	struct stat status;

	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		preflight_judge(result, PREFLIGHT_NOT_RUNNABLE, "'%s' is not a regular file", name);
	} else if (statvfs(path, &mount) == 0 && (mount.f_flag & ST_NOEXEC)) {
		preflight_judge(result, PREFLIGHT_NOT_RUNNABLE,
				"'%s' is on a file system that is mounted noexec", name);
	} else if (stat(path, &status) == 0 && !(status.st_mode & 0111)) {
		preflight_judge(result, PREFLIGHT_NOT_RUNNABLE, "'%s' is not executable", name);
		preflight_hint(result, "chmod +x '%s'", name);
	} else {
		preflight_judge(result, PREFLIGHT_NOT_RUNNABLE, "'%s' cannot be executed: %s", name,
				strerror(EACCES));
	}
}

void preflight_refuse(struct preflight *result, const char *program, const char *path, int code)
{
	const char *name = preflight_shown(path ? path : program);

	if (code == -EACCES && path) {
		refuse_access(result, path);
	} else if (code == -EISDIR) {
		preflight_judge(result, PREFLIGHT_NOT_RUNNABLE, "'%s' is a directory", name);
	} else if (code == -ENOENT && strchr(program, '/')) {
		preflight_judge(result, PREFLIGHT_NOT_FOUND, "'%s' is not found", name);
	} else if (code == -ENOENT) {
		preflight_judge(result, PREFLIGHT_NOT_FOUND, "'%s' is not found in PATH", name);
		if (*program && access(program, X_OK) == 0)
			preflight_hint(result, "there is one here: './%s'", name);
	} else {
		preflight_judge(result, PREFLIGHT_NOT_RUNNABLE, "'%s' cannot be executed: %s", name,
				strerror(-code));
	}
}
