/* SPDX-License-Identifier: MIT */
/* Starting threads that handle no signals of others; counting the CPUs there are for them. */

#include "symbolize/worker.h"

#include <sched.h>
#include <signal.h>

bool worker_start(pthread_t *ret_thread, void *(*run)(void *data), void *data)
{
	sigset_t blocked, before;
	bool started;

	sigfillset(&blocked);
	sigdelset(&blocked, SIGBUS);
	sigdelset(&blocked, SIGSEGV);
	pthread_sigmask(SIG_SETMASK, &blocked, &before);
	started = pthread_create(ret_thread, NULL, run, data) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

unsigned worker_count(void)
{
	cpu_set_t cpus;

	/* Of more CPUs than the set has room for, one is enough. */
	return sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? (unsigned)CPU_COUNT(&cpus) : 1;
}
