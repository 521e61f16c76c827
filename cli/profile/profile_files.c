/* SPDX-License-Identifier: MIT */
/* Saved profiles for the commands that read some. */

#include "cli/profile/profile_files.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/profile/pprof_read.h"
#include "cli/profile/profile_merge.h"
#include "cli/profile/saved.h"
#include "symbolize/util.h"

static int read_last(struct profile **ret_profile, struct error *err)
{
	AUTO_FREE char *path = NULL;
	int code = saved_path(&path, err);

	if (code == 0 && access(path, F_OK) != 0)
		return error_set(err, -ENOENT, "no profile yet: run 'profrun PROGRAM' first");
	return code < 0 ? code : pprof_read_file(path, ret_profile, err);
}

/* Reads the next file and adds it to *profile, or makes it that; one of @several is a run. */
static int add_file(const char *path, bool several, struct profile **profile, struct error *err)
{
	struct profile *next;
	struct error why;
	int code = pprof_read_file(path, &next, err);

	if (code < 0)
		return code;
	if (several && profile_name_run(next, path) < 0) {
		profile_free(next);
		return error_set(err, -ENOMEM, "out of memory");
	}
	if (!*profile) {
		*profile = next;
		return 0;
	}
	code = profile_merge(*profile, next, &why);
	profile_free(next);
	return code < 0 ? error_set(err, code, "cannot add '%.100s': %.120s", path, why.text) : 0;
}

int profile_files_read(char *const *files, struct profile **ret_profile, struct error *err)
{
	struct profile *profile = NULL;
	size_t count = 0;
	int code = 0;

	if (!files[0])
		return read_last(ret_profile, err);
	for (; files[count] && code == 0; count++)
		code = add_file(files[count], files[1], &profile, err);
	if (code == 0 && count > 1 &&
	    profile_add_note(profile, "the sum of %zu profiles; how it ended is said of the first",
			     count) < 0)
		code = error_set(err, -ENOMEM, "out of memory");
	if (code < 0) {
		profile_free(profile);
		return code;
	}
	*ret_profile = profile;
	return 0;
}
