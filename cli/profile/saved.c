/* SPDX-License-Identifier: MIT */
/* Where the last run is kept. */

#include "cli/profile/saved.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbolize/util.h"

static const char *find_home(void)
{
	const char *home = getenv("HOME");
	const struct passwd *user;

	if (home && *home == '/')
		return home;
	user = getpwuid(geteuid());
	return user ? user->pw_dir : NULL;
}

int saved_path(char **ret_path, struct error *err)
{
	const char *state = getenv("XDG_STATE_HOME"), *home;
	int length;

	/* A relative path is to be ignored, says the specification. */
	if (state && *state == '/') {
		length = asprintf(ret_path, "%s/profrun/last.pb.gz", state);
	} else {
		home = find_home();
		if (!home)
			return error_set(err, -ENOENT,
					 "no home directory: set HOME or XDG_STATE_HOME");
		length = asprintf(ret_path, "%s/.local/state/profrun/last.pb.gz", home);
	}
	if (length < 0) {
		*ret_path = NULL; /* asprintf leaves it undefined */
		return error_set(err, -ENOMEM, "out of memory");
	}
	return 0;
}

/* Makes the folders of @path that are not there, for the user alone. */
static int make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		int made;

		*slash = '\0';
		made = mkdir(path, 0700);
		*slash = '/';
		if (made < 0 && errno != EEXIST && errno != EISDIR && errno != EROFS)
			return -errno;
	}
	return 0;
}

int saved_open(struct output *ret_output, struct error *err)
{
	AUTO_FREE char *path = NULL;
	int code = saved_path(&path, err);

	*ret_output = (struct output){.stream = NULL};
	if (code < 0)
		return code;
	code = make_folders(path);
	if (code < 0)
		return error_set(err, code, "cannot write '%.150s': ", path);
	return output_open_file(path, 0600, ret_output, err);
}
