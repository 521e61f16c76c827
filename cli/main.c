/* SPDX-License-Identifier: MIT */
/* profrun: reads the command line and hands over to a command. */

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include "cli/command.h"
#include "cli/launch/launch.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/usage.h"
#include "symbolize/symbolize.h"

/* What demanglers, for one, take for granted: they keep what they know of a name on the stack. */
#define STACK_SIZE ((size_t)1 << 20)

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
	if (options->quiet)
		progress_silence();
	sym_allow_fetching(options->fetch_seconds);
	return command->run(options);
}

static int run(char **argv)
{
	struct options options;
	struct error err;
	int status = EXIT_PROFRUN;

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

/* For makecontext(3), which passes no pointers. */
static struct {
	char **argv;
	int status;
} call;

static void run_there(void)
{
	call.status = run(call.argv);
}

/* A limit that the program may be content with, and that is the program's to keep. */
static bool has_little_stack(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < STACK_SIZE;
}

int main(int argc, char **argv)
{
	static ucontext_t here, there;
	void *stack;

	(void)argc;
	if (!has_little_stack())
		return run(argv);
	stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack == MAP_FAILED)
		return run(argv);
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = STACK_SIZE;
	there.uc_link = &here;
	call.argv = argv;
	makecontext(&there, run_there, 0);
	swapcontext(&here, &there);
	return call.status;
}
