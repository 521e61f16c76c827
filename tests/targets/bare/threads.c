/* SPDX-License-Identifier: MIT */
/* Programs with threads: however they are made, and however they end. */

#include "tests/targets/bare/bare.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static _Atomic int counter;

static void *burn(void *value)
{
	bare_burn(5);
	counter++;
	return value;
}

static void run(const pthread_attr_t *attributes, void *(*start)(void *), void *value)
{
	void *result = NULL;
	pthread_t thread;
	int r = pthread_create(&thread, attributes, start, value);

	if (r == 0)
		r = pthread_join(thread, &result);
	printf("%s, result %ld\n", r ? strerrorname_np(r) : "joined", (long)(intptr_t)result);
}

static void create_and_join(void)
{
	run(NULL, burn, (void *)42);
}

static void four_at_once(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, burn, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	bare_show("ran", counter);
}

static void *nothing(void *unused)
{
	return unused;
}

static void two_hundred_in_a_row(void)
{
	for (int i = 0; i < 200; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, nothing, NULL);
		pthread_join(thread, NULL);
	}
}

static sem_t done;

static void *post(void *unused)
{
	bare_burn(5);
	sem_post(&done);
	return unused;
}

static void detached(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	sem_init(&done, 0, 0);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	bare_show("create", pthread_create(&thread, &attributes, post, NULL));
	sem_wait(&done);
	pthread_attr_destroy(&attributes);
	while (access("/proc/self/task", F_OK) == 0 && kill(getpid(), 0) == 0 && counter++ < 20)
		usleep(1000);
}

static void *leave(void *value)
{
	bare_burn(5);
	pthread_exit(value);
}

static void exit_of_a_thread(void)
{
	run(NULL, leave, (void *)7);
}

static void *sleep_long(void *unused)
{
	sleep(100);
	return unused;
}

static void *burn_for_ever(void *unused)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	sem_post(&done);
	for (;;)
		bare_burn(1);
	return unused;
}

static void *burn_and_test(void *unused)
{
	for (;;) {
		bare_burn(1);
		pthread_testcancel();
	}
	return unused;
}

static void cancel(void *(*start)(void *))
{
	void *result = NULL;
	pthread_t thread;

	pthread_create(&thread, NULL, start, NULL);
	bare_burn(5);
	bare_show("cancel", pthread_cancel(thread));
	pthread_join(thread, &result);
	puts(result == PTHREAD_CANCELED ? "cancelled" : "ended");
}

static void cancel_in_a_sleep(void)
{
	cancel(sleep_long);
}

static void cancel_in_a_loop(void)
{
	cancel(burn_and_test);
}

static void cancel_at_any_instruction(void)
{
	sem_init(&done, 0, 0);
	cancel(burn_for_ever);
}

static void say(void *text)
{
	puts(text);
}

static void *clean_up(void *unused)
{
	pthread_cleanup_push(say, (void *)(uintptr_t) "outer");
	pthread_cleanup_push(say, (void *)(uintptr_t) "inner");
	bare_burn(5);
	pthread_exit(NULL);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return unused;
}

static void clean_up_handlers(void)
{
	run(NULL, clean_up, NULL);
}

static void *set_specific(void *key)
{
	pthread_setspecific(*(pthread_key_t *)key, "of the thread");
	bare_burn(5);
	return NULL;
}

static void thread_specific_data(void)
{
	pthread_key_t key;

	bare_show("key", pthread_key_create(&key, say));
	printf("the key is %u\n", key);
	run(NULL, set_specific, &key);
	pthread_key_delete(key);
}

static void *outlive(void *unused)
{
	bare_burn(10);
	puts("the thread goes on");
	return unused;
}

static void main_leaves_first(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, outlive, NULL);
	bare_burn(1);
	pthread_exit(NULL);
}

static void *exit_process(void *unused)
{
	bare_burn(5);
	exit(9);
	return unused;
}

static void a_thread_ends_the_process(void)
{
	run(NULL, exit_process, NULL);
}

static int c11(void *value)
{
	bare_burn(5);
	return *(int *)value + 1;
}

static void c11_threads(void)
{
	int value = 4, result = 0;
	thrd_t thread;

	bare_show("create", thrd_create(&thread, c11, &value));
	bare_show("join", thrd_join(thread, &result));
	bare_show("result", result);
}

static int raw_thread(void *unused)
{
	(void)unused;
	for (volatile int i = 0; i < 10000000; i++)
		;
	counter = 1;
	syscall(SYS_exit, 0);
	return 0;
}

static void raw_clone(void)
{
	const int flags =
		CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
	char *stack = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	printf("clone: %s\n",
	       clone(raw_thread, stack + 65536, flags, NULL) > 0 ? "made" : "failed");
	while (!counter)
		usleep(1000);
	usleep(20000);
}

static void with_stack_size(size_t size)
{
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	bare_show("size", pthread_attr_setstacksize(&attributes, size));
	run(&attributes, burn, (void *)1);
	pthread_attr_destroy(&attributes);
}

static void smallest_stack(void)
{
	with_stack_size((size_t)sysconf(_SC_THREAD_STACK_MIN));
}

static void large_stack(void)
{
	with_stack_size(256 << 20);
}

static void too_small_stack(void)
{
	with_stack_size(1);
}

static void own_stack(void)
{
	const size_t size = 256 << 10;
	void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	bare_show("stack", pthread_attr_setstack(&attributes, stack, size));
	run(&attributes, burn, (void *)1);
	pthread_attr_destroy(&attributes);
}

static void *show_mask(void *unused)
{
	sigset_t set;
	int blocked = 0;

	pthread_sigmask(SIG_BLOCK, NULL, &set);
	for (int number = 1; number <= SIGRTMAX; number++)
		blocked += sigismember(&set, number) == 1;
	bare_show("blocked signals", blocked);
	bare_burn(5);
	return unused;
}

static void masks_are_inherited(void)
{
	sigset_t all, old;

	run(NULL, show_mask, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	run(NULL, show_mask, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	run(NULL, show_mask, NULL);
}

static void no_more_threads(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, (size_t)1 << 46);
	printf("create: %s\n", strerrorname_np(pthread_create(&thread, &attributes, burn, NULL)));
}

static void *rename_thread(void *unused)
{
	char name[16];

	pthread_getname_np(pthread_self(), name, sizeof(name));
	puts(name);
	pthread_setname_np(pthread_self(), "renamed");
	pthread_getname_np(pthread_self(), name, sizeof(name));
	puts(name);
	return unused;
}

static void names(void)
{
	run(NULL, rename_thread, NULL);
}

static pthread_mutex_t mutex;

static void *die_with_it(void *unused)
{
	pthread_mutex_lock(&mutex);
	bare_burn(5);
	return unused;
}

static void robust_mutex(void)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&mutex, &attributes);
	run(NULL, die_with_it, NULL);
	printf("lock: %s\n", strerrorname_np(pthread_mutex_lock(&mutex)));
}

static pthread_barrier_t barrier;

static void *meet(void *unused)
{
	for (int i = 0; i < 5; i++) {
		bare_burn(1);
		pthread_barrier_wait(&barrier);
	}
	return unused;
}

static void barriers(void)
{
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, meet, NULL);
	meet(NULL);
	pthread_join(thread, NULL);
}

static void *fork_and_thread(void *unused)
{
	int pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		run(NULL, burn, (void *)3);
		fflush(stdout);
		_exit(4);
	}
	bare_show_child("child", pid);
	return unused;
}

static void fork_in_a_thread(void)
{
	run(NULL, fork_and_thread, NULL);
}

static void *die_by_signal(void *unused)
{
	fflush(stdout);
	raise(SIGTERM);
	return unused;
}

static void a_signal_in_a_thread(void)
{
	run(NULL, die_by_signal, NULL);
}

static const struct bare_case cases[] = {
	{"create and join", create_and_join},
	{"four at once", four_at_once},
	{"two hundred in a row", two_hundred_in_a_row},
	{"detached", detached},
	{"exit of a thread", exit_of_a_thread},
	{"cancel in a sleep", cancel_in_a_sleep},
	{"cancel in a loop", cancel_in_a_loop},
	{"cancel at any instruction", cancel_at_any_instruction},
	{"clean-up handlers", clean_up_handlers},
	{"thread specific data", thread_specific_data},
	{"main leaves first", main_leaves_first},
	{"a thread ends the process", a_thread_ends_the_process},
	{"C11 threads", c11_threads},
	{"raw clone", raw_clone},
	{"smallest stack", smallest_stack},
	{"large stack", large_stack},
	{"too small stack", too_small_stack},
	{"own stack", own_stack},
	{"masks are inherited", masks_are_inherited},
	{"no more threads", no_more_threads},
	{"names", names},
	{"robust mutex", robust_mutex},
	{"barriers", barriers},
	{"fork in a thread", fork_in_a_thread},
	{"a signal in a thread", a_signal_in_a_thread},
};

BARE_MAIN(cases)
