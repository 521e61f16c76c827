/* SPDX-License-Identifier: MIT */
/*
 * A process, a forked child and a child that executes this program again: each has a function of
 * its own and half as much time as the one before.
 */

#include "tests/targets/truth.h"

#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TRUTH_BURN(in_parent, 3)
TRUTH_BURN(in_child, 5)
TRUTH_BURN(in_executed, 7)

static int work(const char *name, void (*burn)(uint64_t), double seconds)
{
	struct truth_part part = {.name = name, .burn = burn, .share = 1};
	struct truth truth;

	truth_init(&truth, &part, 1, 0);
	truth_rounds(&truth, seconds, 10);
	truth_end_thread(&truth);
	truth_write(&truth, 1);
	return 0;
}

int main(int argc, char **argv)
{
	char word[] = "executed", *again[] = {argv[0], word, NULL};
	pid_t child, executed;

	if (argc > 1 && strcmp(argv[1], word) == 0)
		return work("in_executed", in_executed, 1);
	child = fork();
	if (child == 0)
		_exit(work("in_child", in_child, 2));
	if (posix_spawn(&executed, argv[0], NULL, NULL, again, environ) != 0)
		return 1;
	work("in_parent", in_parent, 4);
	waitpid(child, NULL, 0);
	waitpid(executed, NULL, 0);
	return 0;
}
