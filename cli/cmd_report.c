/* SPDX-License-Identifier: MIT */
/* `profrun report [FILE...]`: prints saved profiles again, several as one. */

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cmd_publish.h"
#include "cli/collect/interim.h"
#include "cli/command.h"
#include "cli/message.h"
#include "cli/profile/profile_files.h"

static int check_keys(const struct profile *profile, const struct options *options)
{
	if (profile->threads_apart || !keys_tell(&options->by, COLUMN_THREAD))
		return 0;
	message_print("--by=thread: this profile does not keep threads apart; take one with "
		      "--threads");
	return -EINVAL;
}

static int read_profile(const struct options *options, struct profile **ret_profile,
			struct error *err)
{
	if (!options->running)
		return profile_files_read(options->argv, ret_profile, err);
	if (options->argv[0])
		return error_set(
			err, -EINVAL,
			"--running '%u' and '%.100s': give one of them; 'report --running' "
			"reads no file",
			options->running, options->argv[0]);
	return interim_fetch((pid_t)options->running, ret_profile, err);
}

int cmd_report(const struct options *options)
{
	struct profile *profile;
	struct outputs outputs;
	struct error err;
	int code;

	if (read_profile(options, &profile, &err) < 0) {
		message_print("%s", err.text);
		return EXIT_PROFRUN;
	}
	code = check_keys(profile, options);
	if (code == 0)
		code = cmd_outputs_open(options, STDOUT_FILENO, &outputs);
	if (code == 0) {
		code = cmd_publish(profile, options, &outputs);
		cmd_outputs_done(&outputs);
	}
	profile_free(profile);
	return code < 0 ? EXIT_PROFRUN : EXIT_SUCCESS;
}
