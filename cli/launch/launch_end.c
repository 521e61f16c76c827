/* SPDX-License-Identifier: MIT */
/* The ends of being transparent: the streams at the start, haste and the status at the end. */

#include "cli/launch/launch.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/monotonic.h"
#include "symbolize/util.h"

void launch_guard_streams(void)
{
	/* Reading and writing such a descriptor fails as it does with a closed one. */
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/", O_PATH | O_CLOEXEC);
}

/* Those who are in a hurry press Ctrl-C more than once, and mean the program. */
#define PATIENCE_NANOSECONDS UINT64_C(2000000000)

static uint64_t target_ended;

static void outlive(int number)
{
	struct sigaction deflt = {.sa_handler = SIG_DFL};

	if (monotonic_nanoseconds() - target_ended < PATIENCE_NANOSECONDS)
		return;
	sigaction(number, &deflt, NULL);
	raise(number);
}

void launch_outlive_haste(void)
{
	static const int hasty[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = outlive, .sa_flags = SA_RESTART}, had;

	target_ended = monotonic_nanoseconds();
	for (size_t i = 0; i < ARRAY_SIZE(hasty); i++)
		if (sigaction(hasty[i], NULL, &had) == 0 && had.sa_handler == SIG_DFL)
			sigaction(hasty[i], &action, NULL);
}

static _Noreturn void die_by(int number)
{
	struct sigaction deflt = {.sa_handler = SIG_DFL};
	sigset_t one;

	/* The target's core tells something; one of profrun's would overwrite it. */
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	sigaction(number, &deflt, NULL);
	kill(getpid(), number);
	sigemptyset(&one);
	sigaddset(&one, number);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	/* Still here: the first process of a container does not die by default. */
	_exit(128 + number);
}

void launch_exit_like(int wait_status)
{
	if (WIFSIGNALED(wait_status))
		die_by(WTERMSIG(wait_status));
	exit(WEXITSTATUS(wait_status));
}
