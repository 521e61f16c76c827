/* SPDX-License-Identifier: MIT */
/* Finds the case and runs it between two looks at its own state. */

#include "tests/targets/bare/bare.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char *bare_program;

static double milliseconds(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

double bare_now(void)
{
	return milliseconds(CLOCK_MONOTONIC);
}

void bare_burn(int wanted)
{
	double end = milliseconds(CLOCK_THREAD_CPUTIME_ID) + wanted;

	while (milliseconds(CLOCK_THREAD_CPUTIME_ID) < end)
		for (volatile int i = 0; i < 10000; i++)
			;
}

void bare_show(const char *what, long value)
{
	if (value < 0)
		printf("%s: %ld %s\n", what, value, strerrorname_np(errno));
	else
		printf("%s: %ld\n", what, value);
}

void bare_show_child(const char *what, int pid)
{
	int status = 0;

	if (waitpid(pid, &status, 0) != pid)
		printf("%s: no child, %s\n", what, strerrorname_np(errno));
	else if (WIFSIGNALED(status))
		printf("%s: signal %d%s\n", what, WTERMSIG(status),
		       WCOREDUMP(status) ? " and a core" : "");
	else
		printf("%s: status %d\n", what, WEXITSTATUS(status));
}

void bare_show_length(const char *what, double start, double wanted)
{
	printf("%s: %s\n", what, bare_now() - start < wanted ? "too short" : "long enough");
}

void bare_exec(const char *name)
{
	fflush(stdout);
	execl(bare_program, bare_program, name, (char *)NULL);
	bare_show("exec", -1);
}

int bare_main(int argc, char **argv, const struct bare_case *cases, size_t count)
{
	int error_at_first = errno;

	bare_program = argv[0];
	if (argc != 2)
		return 125;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(argv[1], "list") == 0)
			puts(cases[i].name);
		if (strcmp(argv[1], cases[i].name) != 0)
			continue;
		printf("errno %d\n", error_at_first);
		bare_state("before");
		fflush(stdout);
		cases[i].run();
		bare_state("after");
		return 3;
	}
	return strcmp(argv[1], "list") == 0 ? 0 : 125;
}
