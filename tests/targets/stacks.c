/* SPDX-License-Identifier: MIT */
/*
 * Stacks of the program's own, each with a guard page below, on which it spends time while ticks
 * come: a handler on an alternate stack with room for it alone, code beside alternate stacks that
 * are too small for any signal, a coroutine on the smallest stack that can take one.
 */

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define SECONDS 0.25
#define ALONE	1024 /* for a handler, beyond the signal's frame */
#define MORE	2048 /* for a coroutine */

static ucontext_t main_context, coroutine;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static __attribute__((noinline)) void burn(void)
{
	double end = now() + SECONDS;

	while (now() < end)
		for (volatile int i = 0; i < 1000; i = i + 1)
			;
}

static size_t frame(void)
{
	size_t size = getauxval(AT_MINSIGSTKSZ);

	return size > 2048 ? size : 2048;
}

static void *make_stack(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page * page;
	char *memory = mmap(NULL, pages + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE) < 0)
		exit(1);
	return memory + page + pages - size;
}

static void use_stack(size_t size)
{
	const stack_t stack = {.ss_sp = make_stack(size), .ss_size = size};

	printf("%d\n", sigaltstack(&stack, NULL));
}

static void on_signal(int signal)
{
	(void)signal;
	burn();
}

static void show_action(void)
{
	struct sigaction action;

	sigaction(SIGUSR1, NULL, &action);
	for (int signal = 1; signal <= SIGRTMAX; signal++)
		if (sigismember(&action.sa_mask, signal) == 1)
			printf(" %d", signal);
	printf(" are blocked in the handler\n");
}

static void handle_there(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};

	sigaddset(&action.sa_mask, SIGHUP);
	sigaction(SIGUSR1, &action, NULL);
	show_action();
	use_stack(frame() + ALONE);
	show_action();
	raise(SIGUSR1);
	burn();
	sigemptyset(&action.sa_mask);
	sigaction(SIGUSR1, &action, NULL);
	show_action();
	raise(SIGUSR1);
}

static void *beside(void *unused)
{
	static char tiny[2048];
	const stack_t stack = {.ss_sp = tiny, .ss_size = sizeof(tiny)};

	/* Kernels that know larger registers refuse it. */
	sigaltstack(&stack, NULL);
	burn();
	return unused;
}

static void in_coroutine(void)
{
	burn();
	swapcontext(&coroutine, &main_context);
}

static void enter_coroutine(void)
{
	size_t size = frame() + MORE;

	getcontext(&coroutine);
	coroutine.uc_stack.ss_sp = make_stack(size);
	coroutine.uc_stack.ss_size = size;
	makecontext(&coroutine, in_coroutine, 0);
	swapcontext(&main_context, &coroutine);
}

int main(void)
{
	pthread_t thread;

	handle_there();
	pthread_create(&thread, NULL, beside, NULL);
	pthread_join(thread, NULL);
	enter_coroutine();
	return 0;
}
