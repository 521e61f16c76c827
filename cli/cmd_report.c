/* SPDX-License-Identifier: MIT */
/* `profrun report [FILE...]`: prints saved profiles again, several as one. */

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/message.h"
#include "cli/pprof_read.h"
#include "cli/profile_merge.h"
#include "cli/cmd_publish.h"
#include "cli/saved.h"
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

static int read_files(char *const *files, struct profile **ret_profile, struct error *err)
{
	struct profile *profile = NULL;
	int code = 0;

	if (!files[0])
		return read_last(ret_profile, err);
	for (size_t i = 0; files[i] && code == 0; i++)
		code = add_file(files[i], files[1], &profile, err);
	if (code < 0) {
		profile_free(profile);
		return code;
	}
	*ret_profile = profile;
	return 0;
}

int cmd_report(const struct options *options)
{
	struct profile *profile;
	struct outputs outputs;
	struct error err;
	int code;

	if (read_files(options->argv, &profile, &err) < 0) {
		message_print("%s", err.text);
		return EXIT_PROFRUN;
	}
	code = cmd_outputs_open(options, STDOUT_FILENO, &outputs);
	if (code == 0) {
		code = cmd_publish(profile, options, &outputs);
		cmd_outputs_done(&outputs);
	}
	profile_free(profile);
	return code < 0 ? EXIT_PROFRUN : EXIT_SUCCESS;
}
