/* SPDX-License-Identifier: MIT */
/*
 * Waits for a signal with sigsuspend(2), over and over, while another thread sends it: each ends
 * one wait, also when a tick comes as the handler returns, with the call's EINTR in the register.
 */

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS	     40000
#define PATIENCE_SEC 10

static pid_t waiter;
static _Atomic unsigned handled, returned;

static void handle(int number)
{
	(void)number;
	atomic_fetch_add(&handled, 1);
}

/* False: a wait did not end, though the signal was handled. */
static bool await(unsigned round)
{
	time_t end = time(NULL) + PATIENCE_SEC;

	while (atomic_load(&returned) <= round)
		if (atomic_load(&handled) > round && time(NULL) > end)
			return false;
	return true;
}

static void *send(void *unused)
{
	(void)unused;
	for (unsigned round = 0; round < ROUNDS; round++) {
		syscall(SYS_tgkill, getpid(), waiter, SIGUSR1);
		if (!await(round)) {
			puts("a wait goes on after its signal");
			fflush(stdout);
			_exit(1);
		}
	}
	return NULL;
}

int main(void)
{
	sigset_t blocked, none;
	pthread_t sender;

	waiter = (pid_t)syscall(SYS_gettid);
	signal(SIGUSR1, handle);
	sigemptyset(&none);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	if (pthread_create(&sender, NULL, send, NULL) != 0)
		return 1;
	for (unsigned round = 0; round < ROUNDS; round++) {
		sigsuspend(&none);
		atomic_fetch_add(&returned, 1);
	}
	pthread_join(sender, NULL);
	puts("every signal ended a wait");
	return 0;
}
