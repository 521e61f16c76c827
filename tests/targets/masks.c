/* SPDX-License-Identifier: MIT */
/*
 * What a program reads back of its signal masks and handlers is what it set. Prints digests; the
 * signal that ticks must not show in any of them.
 */

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void print_set(const char *name, const sigset_t *set)
{
	printf("%s:", name);
	for (int number = 1; number <= SIGRTMAX; number++)
		if (sigismember(set, number) == 1)
			printf(" %d", number);
	putchar('\n');
}

static void print_mask(const char *name)
{
	sigset_t set;

	pthread_sigmask(SIG_BLOCK, NULL, &set);
	print_set(name, &set);
}

static void on_signal(int number)
{
	(void)number;
}

static void masks(void)
{
	sigset_t all, old;

	sigfillset(&all);
	print_mask("at first");
	pthread_sigmask(SIG_BLOCK, &all, &old);
	print_set("before blocking all", &old);
	print_mask("all blocked");
	sigdelset(&all, SIGINT);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	print_mask("all but one unblocked");
	sigprocmask(SIG_SETMASK, &old, &all);
	print_set("before setting back", &all);
	errno = 0;
	printf("nonsense: %d %d, %d\n", sigprocmask(99, &all, NULL), errno,
	       pthread_sigmask(99, &all, NULL));
	sigpending(&all);
	print_set("pending", &all);
}

static void *in_thread(void *unused)
{
	print_mask("in a thread");
	return unused;
}

static void inherited(void)
{
	sigset_t all, old;
	pthread_t thread;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void handlers(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, old;

	sigfillset(&action.sa_mask);
	for (int number = 1; number <= SIGRTMAX; number++) {
		int r = sigaction(number, &action, &old);

		printf("%d: %d, had %s\n", number, r,
		       r < 0 || old.sa_handler == SIG_DFL ? "none" : "one");
	}
	for (int number = 1; number <= SIGRTMAX; number++) {
		if (sigaction(number, NULL, &old) < 0)
			continue;
		printf("%d: %s, flags %x;", number, old.sa_handler == on_signal ? "ours" : "other",
		       (unsigned)old.sa_flags & ~0x4000000u);
		print_set(" blocks", &old.sa_mask);
		if (old.sa_handler == on_signal && number != SIGKILL && number != SIGSTOP)
			raise(number);
		signal(number, SIG_DFL);
	}
}

static void timers(void)
{
	struct itimerval timer;

	for (int which = ITIMER_REAL; which <= ITIMER_PROF; which++) {
		getitimer((__itimer_which_t)which, &timer);
		printf("timer %d: %ld %ld\n", which, (long)timer.it_value.tv_sec,
		       (long)timer.it_interval.tv_usec);
	}
}

/* Ticks come while all signals are waited for: none of them is one of these. */
static void waiting(void)
{
	const struct timespec no_time = {0};
	struct timespec now;
	sigset_t all, old;
	int caught = 0, fd;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	fd = signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC);
	do {
		struct signalfd_siginfo info;

		caught += sigtimedwait(&all, NULL, &no_time) > 0;
		caught += read(fd, &info, sizeof(info)) > 0;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while (now.tv_sec == 0 && now.tv_nsec < 200000000);
	close(fd);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	printf("waited for all signals: got %d\n", caught);
}

int main(void)
{
	masks();
	inherited();
	waiting();
	timers();
	handlers();
	return 0;
}
