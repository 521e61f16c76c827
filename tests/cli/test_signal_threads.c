/* SPDX-License-Identifier: MIT */
/* Threads of this process, as profrun would see those of a program. */

#include "cli/ticks/signal_threads.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

#define SLEEPERS 200

static sem_t begin, end;
static _Atomic int busy_tid;
static _Atomic bool over;

static void *sleep_until_told(void *unused)
{
	sem_post(&begin);
	sem_wait(&end);
	return unused;
}

static void *spin_until_told(void *unused)
{
	atomic_store(&busy_tid, gettid());
	sem_post(&begin);
	while (!atomic_load(&over))
		;
	return unused;
}

static void make_threads(void)
{
	pthread_t thread;

	sem_init(&begin, 0, 0);
	sem_init(&end, 0, 0);
	for (int i = 0; i < SLEEPERS; i++)
		cr_assert_eq(pthread_create(&thread, NULL, sleep_until_told, NULL), 0);
	cr_assert_eq(pthread_create(&thread, NULL, spin_until_told, NULL), 0);
	for (int i = 0; i < SLEEPERS + 1; i++)
		sem_wait(&begin);
}

struct seen {
	unsigned busy, weight, others;
};

static void note(struct signal_thread *thread, uint32_t weight, void *data)
{
	struct seen *seen = data;

	if (thread->tid == atomic_load(&busy_tid)) {
		seen->busy++;
		seen->weight += weight;
	} else if (thread->tid != gettid()) {
		seen->others++;
	}
}

Test(signal_threads, what_runs_is_found_among_many_that_sleep)
{
	struct signal_threads *threads = signal_threads_new(getpid());
	struct seen seen = {0};
	const unsigned looks = 2000;
	size_t before;

	cr_assert_eq(signal_threads_sweep(threads, 1, 0), 0);
	before = threads->count;
	make_threads();
	cr_assert_eq(signal_threads_sweep(threads, 2, 1), 0);
	cr_assert_eq(threads->count, before + SLEEPERS + 1);
	for (uint64_t i = 0; i < looks; i++)
		signal_threads_each_running(threads, i * UINT64_C(0x9e3779b97f4a7c15), note, &seen);
	/* Until the sleepers are known as such, one in four is looked at each time: tens of looks.
	 */
	cr_assert_geq(seen.busy, looks - 200);
	cr_assert_geq(seen.weight, looks - 100);
	cr_assert_leq(seen.weight, looks + 100);
	/* A sleeper may still have been on its way to sleep. */
	cr_assert_leq(seen.others, SLEEPERS);
	cr_assert_geq(threads->quiet_count, SLEEPERS - 1);
	atomic_store(&over, true);
	for (int i = 0; i < SLEEPERS; i++)
		sem_post(&end);
	signal_threads_free(threads);
}

Test(signal_threads, a_thread_that_ended_is_forgotten)
{
	struct signal_threads *threads = signal_threads_new(getpid());
	pthread_t thread;
	size_t before;

	sem_init(&begin, 0, 0);
	sem_init(&end, 0, 0);
	pthread_create(&thread, NULL, sleep_until_told, NULL);
	sem_wait(&begin);
	signal_threads_sweep(threads, 1, 0);
	before = threads->count;
	sem_post(&end);
	pthread_join(thread, NULL);
	/* No thread was born, and it is not time yet. */
	signal_threads_sweep(threads, 1, 1);
	cr_assert_eq(threads->count, before);
	signal_threads_sweep(threads, 2, 1);
	cr_assert_eq(threads->count, before - 1);
	signal_threads_free(threads);
}

Test(signal_threads, the_account_counts_turns_on_the_cpu)
{
	struct signal_account before, after;

	cr_assert(signal_account_read_own(&before));
	usleep(1000);
	cr_assert(signal_account_read_own(&after));
	cr_assert_gt(after.turns, before.turns);
	cr_assert_geq(after.ran, before.ran);
}
