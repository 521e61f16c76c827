/* SPDX-License-Identifier: MIT */
/* profrun: reads the command line and hands over to a command. */

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/launch.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/usage.h"
#include "symbolize/symbolize.h"

/* Prints what --help and its kin ask for; what could not be written is a failure. */
static int inform(const struct options *options)
{
	options->inform();
	if (fflush(stdout) == 0 && !ferror(stdout))
		return EXIT_SUCCESS;
	message_print("cannot write to stdout: %m");
	return EXIT_PROFRUN;
}

static int dispatch(const struct options *options)
{
	const struct command *command = options->command;

	if (options->inform)
		return inform(options);
	if (!command || (command->needs && !options->argv[0])) {
		message_print("no %s given", command ? command->needs : command_at(0)->needs);
		usage_short(stderr);
		return EXIT_PROFRUN;
	}
	sym_allow_fetching(options->fetch_seconds);
	return command->run(options);
}

int main(int argc, char **argv)
{
	struct options options;
	struct error err;
	int status = EXIT_PROFRUN;

	(void)argc;
	launch_guard_streams();
	/* Only what letters are: numbers keep their decimal point in every locale. */
	setlocale(LC_CTYPE, "");
	if (options_parse(argv, getenv("PROFRUN_OPTIONS"), &options, &err) < 0)
		message_print("%s", err.text);
	else
		status = dispatch(&options);
	options_done(&options);
	return status;
}
