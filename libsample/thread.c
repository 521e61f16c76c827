/* SPDX-License-Identifier: MIT */
/*
 * A new thread starts in a function of ours that arms it, runs what the program asked for, and
 * disarms it however it ends. The record that carries the program's function over comes from a
 * small pool of our own: nothing is taken from the program's heap.
 */

#include "libsample/thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>

#include "libsample/export.h"
#include "libsample/mask.h"
#include "libsample/next.h"
#include "libsample/owner.h"
#include "libsample/sys.h"
#include "libsample/timers.h"

#define POOL 32

struct start {
	_Atomic int taken;
	void *(*function)(void *);
	thrd_start_t c11_function;
	void *argument;
	struct mask_memory masks; /* of the creating thread */
};

static struct start pool[POOL];

static int (*real_pthread_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static int (*real_thrd_create)(thrd_t *, thrd_start_t, void *);

static _Atomic bool made_any;

bool thread_any(void)
{
	return atomic_load(&made_any);
}

void thread_resolve(void)
{
	*(void **)&real_pthread_create = next_find("pthread_create");
	*(void **)&real_thrd_create = next_find("thrd_create");
}

/* A record for one start; NULL: no memory. */
static struct start *start_claim(void)
{
	struct start *start;

	if (!atomic_load_explicit(&made_any, memory_order_relaxed))
		atomic_store(&made_any, true);
	for (size_t i = 0; i < POOL; i++) {
		int expected = 0;

		if (atomic_compare_exchange_strong(&pool[i].taken, &expected, 1))
			return &pool[i];
	}
	/* So many threads that have not begun to run: each of the rest has a page for that time. */
	return sys_map(sizeof(*start));
}

static void start_release(struct start *start)
{
	if (start >= pool && start < pool + POOL)
		atomic_store(&start->taken, 0);
	else
		sys_call(SYS_munmap, start, sizeof(*start));
}

static void thread_begin(struct start *start, struct start *ret_copy)
{
	int r;

	ret_copy->function = start->function;
	ret_copy->c11_function = start->c11_function;
	ret_copy->argument = start->argument;
	ret_copy->masks = start->masks;
	start_release(start);
	mask_thread_begin(&ret_copy->masks);
	owner_thread_began();
	r = timers_thread_start();
	if (r < 0)
		owner_thread_not_armed(r);
}

static void thread_end(void *unused)
{
	(void)unused;
	timers_thread_end();
}

static void *run(void *argument)
{
	struct start start;
	void *result;

	thread_begin(argument, &start);
	pthread_cleanup_push(thread_end, NULL);
	result = start.function(start.argument);
	pthread_cleanup_pop(1);
	return result;
}

static int run_c11(void *argument)
{
	struct start start;
	int result;

	thread_begin(argument, &start);
	pthread_cleanup_push(thread_end, NULL);
	result = start.c11_function(start.argument);
	pthread_cleanup_pop(1);
	return result;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*function)(void *), void *argument)
{
	struct start *start = start_claim();
	int r;

	/* A constructor that ran before ours may have come here first. */
	if (!real_pthread_create)
		thread_resolve();
	if (!start)
		return real_pthread_create(thread, attributes, function, argument);
	start->function = function;
	start->argument = argument;
	mask_remember(&start->masks);
	r = real_pthread_create(thread, attributes, run, start);
	if (r != 0)
		start_release(start);
	return r;
}

EXPORT int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
	struct start *start = start_claim();
	int r;

	if (!real_thrd_create)
		thread_resolve();
	if (!start)
		return real_thrd_create(thread, function, argument);
	start->c11_function = function;
	start->argument = argument;
	mask_remember(&start->masks);
	r = real_thrd_create(thread, run_c11, start);
	if (r != thrd_success)
		start_release(start);
	return r;
}
