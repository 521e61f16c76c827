/* SPDX-License-Identifier: MIT */
/* Works for half a second, then ends in the way that the argument names. */

#include "tests/targets/truth.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

TRUTH_BURN(before_the_end, 3)

static char **arguments;

static void end_exit(void)
{
	exit(3);
}

static void end_underscore_exit(void)
{
	_exit(4);
}

static void end_segv(void)
{
	volatile int *nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*nowhere = 0;
}

static void end_kill(void)
{
	kill(getpid(), SIGKILL);
}

/* Executes the program that follows, with its arguments. */
static void end_exec(void)
{
	execv(arguments[2], arguments + 2);
}

/* For a signal from outside: says that it is ready. */
static void end_wait(void)
{
	puts("ready");
	fflush(stdout);
	for (;;)
		pause();
}

static const struct {
	const char *name;
	void (*end)(void);
} ends[] = {
	{.name = "exit", .end = end_exit}, {.name = "_exit", .end = end_underscore_exit},
	{.name = "abort", .end = abort},   {.name = "segv", .end = end_segv},
	{.name = "kill", .end = end_kill}, {.name = "exec", .end = end_exec},
	{.name = "wait", .end = end_wait},
};

int main(int argc, char **argv)
{
	struct truth_part part = {.name = "before_the_end", .burn = before_the_end, .share = 1};
	struct truth truth;

	arguments = argv;
	truth_init(&truth, &part, 1, 0);
	truth_rounds(&truth, 0.5, 10);
	truth_end_thread(&truth);
	truth_write(&truth, 1);
	for (size_t i = 0; argc > 1 && i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (strcmp(ends[i].name, argv[1]) == 0)
			ends[i].end();
	}
	return 1;
}
