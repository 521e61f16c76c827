/* SPDX-License-Identifier: MIT */
/* What /proc tells of this process's own threads. */

#include "cli/collect/task_status.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static pthread_barrier_t started, done;
static _Atomic pid_t tid;

static void *run(void *unused)
{
	sigset_t set;

	(void)unused;
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 3);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	tid = gettid();
	pthread_barrier_wait(&started);
	pthread_barrier_wait(&done);
	return NULL;
}

static int count(pid_t thread, void *data)
{
	(void)thread;
	++*(unsigned *)data;
	return 0;
}

static void ignore(int signal)
{
	(void)signal;
}

Test(task_status, masks_and_handlers_are_those_of_the_thread)
{
	const uint64_t bit = UINT64_C(1) << (SIGRTMIN + 3 - 1);
	struct task_status status;
	unsigned threads = 0;
	pthread_t thread;

	signal(SIGRTMIN + 3, ignore);
	pthread_barrier_init(&started, NULL, 2);
	pthread_barrier_init(&done, NULL, 2);
	pthread_create(&thread, NULL, run, NULL);
	pthread_barrier_wait(&started);
	cr_assert(task_status_read(getpid(), tid, &status));
	cr_assert(status.blocked & bit);
	cr_assert(status.caught & bit);
	cr_assert(task_status_read(getpid(), getpid(), &status));
	cr_assert_not(status.blocked & bit);
	cr_assert_eq(task_each(getpid(), count, &threads), 0);
	cr_assert_geq(threads, 2);
	cr_assert_eq(task_count(getpid()), threads);
	pthread_barrier_wait(&done);
	pthread_join(thread, NULL);
}

Test(task_status, cpu_time_grows)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 20;
	struct task_stat before, of_thread, of_process;

	cr_assert(task_stat_read(getpid(), getpid(), &before));
	while (clock() < end)
		;
	cr_assert(task_stat_read(getpid(), getpid(), &of_thread));
	cr_assert(task_stat_read(getpid(), 0, &of_process));
	cr_assert_gt(of_thread.user + of_thread.system, before.user + before.system);
	/* User and system time are both cut to whole clock ticks, and not at the same place. */
	cr_assert_geq(of_process.user + of_process.system + 1, of_thread.user + of_thread.system);
	cr_assert_eq(of_process.state, 'R');
}

Test(task_status, a_process_that_is_not_there_has_none)
{
	struct task_status status;
	struct task_stat stat;
	unsigned threads = 0;

	cr_assert_not(task_status_read(1 << 22, 1 << 22, &status));
	cr_assert_not(task_stat_read(1 << 22, 1 << 22, &stat));
	cr_assert_not(task_stat_read(1 << 22, 0, &stat));
	cr_assert_eq(task_count(1 << 22), 0);
	task_each(1 << 22, count, &threads);
	task_each_child(1 << 22, 1 << 22, count, &threads);
	task_each_timer(1 << 22, count, &threads);
	cr_assert_eq(threads, 0);
}

static int take_timer(pid_t thread, void *data)
{
	*(unsigned *)data += thread == gettid();
	return 0;
}

Test(task_status, timers_tell_whom_they_signal)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 3};
	unsigned mine = 0;
	timer_t timer;

	event._sigev_un._tid = gettid();
	cr_assert_eq(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	if (task_each_timer(getpid(), take_timer, &mine) < 0)
		cr_skip_test("this kernel does not list timers");
	cr_assert_eq(mine, 1);
}
