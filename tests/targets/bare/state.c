/* SPDX-License-Identifier: MIT */
/* What a program can ask about itself, by the functions that programs use for it. */

#include "tests/targets/bare/bare.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define DESCRIPTORS 64

static void show_descriptors(void)
{
	int next = dup(1);

	for (int fd = 0; fd < DESCRIPTORS; fd++) {
		int flags = fcntl(fd, F_GETFD);

		if (flags >= 0 && fd != next)
			printf(" %d:%x:%x", fd, flags, fcntl(fd, F_GETFL));
	}
	printf(" next %d\n", next);
	if (next >= 0)
		close(next);
}

static void show_set(const char *name, const sigset_t *set)
{
	printf(" %s", name);
	for (int number = 1; number <= SIGRTMAX; number++)
		if (sigismember(set, number) == 1)
			printf(":%d", number);
	putchar('\n');
}

static void show_handlers(void)
{
	for (int number = 1; number <= SIGRTMAX; number++) {
		struct sigaction action;

		if (sigaction(number, NULL, &action) < 0 || action.sa_handler == SIG_DFL)
			continue;
		printf(" signal %d: %s, flags %x\n", number,
		       action.sa_handler == SIG_IGN ? "ignored" : "handled",
		       (unsigned)action.sa_flags);
		show_set("mask", &action.sa_mask);
	}
}

static void show_signals(void)
{
	stack_t stack;
	sigset_t set;

	show_handlers();
	sigprocmask(SIG_BLOCK, NULL, &set);
	show_set("blocked", &set);
	sigpending(&set);
	show_set("pending", &set);
	sigaltstack(NULL, &stack);
	printf(" alternate stack %x\n", (unsigned)stack.ss_flags);
}

static void show_timers(void)
{
	static const int which[] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};

	printf(" timers");
	for (size_t i = 0; i < sizeof(which) / sizeof(which[0]); i++) {
		struct itimerval timer;

		getitimer(which[i], &timer);
		printf(" %s/%ld", timer.it_value.tv_sec || timer.it_value.tv_usec ? "on" : "off",
		       (long)timer.it_interval.tv_usec);
	}
	putchar('\n');
}

static void show_limits(void)
{
	printf(" limits");
	for (int resource = 0; resource < RLIM_NLIMITS; resource++) {
		struct rlimit limit;

		if (getrlimit(resource, &limit) == 0)
			printf(" %lx/%lx", (long)limit.rlim_cur, (long)limit.rlim_max);
	}
	putchar('\n');
}

static int count_threads(void)
{
	DIR *folder = opendir("/proc/self/task");
	int count = 0;

	if (!folder)
		return 0;
	while (readdir(folder))
		count++;
	closedir(folder);
	return count - 2;
}

/* One that was joined is listed until the kernel has done with it. */
static int settled_threads(void)
{
	int count = count_threads();

	for (int i = 0; i < 200 && count > 1; i++) {
		usleep(1000);
		count = count_threads();
	}
	return count;
}

static void show_process(void)
{
	char folder[4096] = "", name[17] = "";
	mode_t mask = umask(0);

	umask(mask);
	prctl(PR_GET_NAME, name);
	if (!getcwd(folder, sizeof(folder)))
		snprintf(folder, sizeof(folder), "%s", strerrorname_np(errno));
	printf(" umask %o, %s, %s, threads %d\n", (unsigned)mask,
	       strlen(folder) > 40 ? "a long path" : folder, name, settled_threads());
	printf(" nice %d, scheduler %d, dumpable %d, privileges %d, slack %d, subreaper %d\n",
	       getpriority(PRIO_PROCESS, 0), sched_getscheduler(0), prctl(PR_GET_DUMPABLE),
	       prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), prctl(PR_GET_TIMERSLACK),
	       prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0));
	printf(" personality %x, users %d %d, groups %d %d\n", (unsigned)personality(0xffffffff),
	       (int)getuid(), (int)geteuid(), (int)getgid(), (int)getegid());
	printf(" children %s\n", waitpid(-1, NULL, WNOHANG) < 0 ? strerrorname_np(errno) : "some");
}

/* All but the two that are documented. */
static void show_environment(void)
{
	for (char **entry = environ; entry && *entry; entry++)
		if (strncmp(*entry, "LD_PRELOAD=", strlen("LD_PRELOAD=")) != 0 &&
		    strncmp(*entry, "PROFRUN_ARENA=", strlen("PROFRUN_ARENA=")) != 0)
			printf(" %.60s\n", *entry);
}

void bare_state(const char *when)
{
	printf("state %s\n", when);
	show_descriptors();
	show_signals();
	show_timers();
	show_limits();
	show_process();
	show_environment();
}
