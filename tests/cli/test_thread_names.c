/* SPDX-License-Identifier: MIT */
/* Names of threads as they are seen from outside. */

#include "cli/collect/thread_names.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <unistd.h>

static pthread_barrier_t named, seen;
static _Atomic pid_t tid;

static void *run(void *unused)
{
	(void)unused;
	tid = gettid();
	pthread_setname_np(pthread_self(), "a (thread) 1");
	pthread_barrier_wait(&named);
	pthread_barrier_wait(&seen);
	return NULL;
}

Test(thread_names, of_threads_that_ended_are_kept)
{
	struct thread_names *names = thread_names_new();
	pthread_t thread;

	pthread_barrier_init(&named, NULL, 2);
	pthread_barrier_init(&seen, NULL, 2);
	pthread_create(&thread, NULL, run, NULL);
	pthread_barrier_wait(&named);
	cr_assert_eq(thread_names_look(names, getpid()), 0);
	pthread_barrier_wait(&seen);
	pthread_join(thread, NULL);
	cr_assert_eq(thread_names_look(names, getpid()), 0);
	cr_assert_str_eq(thread_names_find(names, tid), "a (thread) 1");
	cr_assert_not_null(thread_names_find(names, getpid()));
	cr_assert_null(thread_names_find(names, 1));
	thread_names_free(names);
}

Test(thread_names, of_no_process_are_none)
{
	struct thread_names *names = thread_names_new();

	cr_assert_eq(thread_names_look(names, 1 << 22), 0);
	cr_assert_null(thread_names_find(names, 1 << 22));
	thread_names_free(names);
	thread_names_free(NULL);
}
