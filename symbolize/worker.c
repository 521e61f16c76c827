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

size_t worker_shares(size_t work, size_t least)
{
	size_t shares = work / least, most = worker_count();

	if (shares > most)
		shares = most;
	if (shares > WORKERS_MAX)
		shares = WORKERS_MAX;
	return shares > 0 ? shares : 1;
}

void worker_run_all(void *(*run)(void *job), void *jobs, size_t size, size_t count)
{
	pthread_t threads[WORKERS_MAX];
	char *job = jobs;
	size_t started = 0;

	while (started + 1 < count && worker_start(&threads[started], run, job + started * size))
		started++;
	/* The last is the caller's, and those for which there were no threads. */
	for (size_t i = started; i < count; i++)
		run(job + i * size);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
}
