/* SPDX-License-Identifier: MIT */
/* `profrun PROGRAM`: runs it. */

#include <errno.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/message.h"

int cmd_run(const struct options *options)
{
	execvp(options->argv[0], options->argv);
	message_print("cannot run '%.200s': %m", options->argv[0]);
	return errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXEC;
}
