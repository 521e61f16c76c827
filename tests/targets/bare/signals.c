/* SPDX-License-Identifier: MIT */
/* Programs that use signals and timers, and programs that die of them. */

#include "tests/targets/bare/bare.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t handled, last, value;
static volatile int *volatile nowhere = (volatile int *)16;

static void count(int number)
{
	handled++;
	last = number;
}

static void take_value(int number, siginfo_t *info, void *context)
{
	(void)context;
	count(number);
	value = info->si_value.sival_int;
}

static void install(int number, int flags)
{
	struct sigaction action = {.sa_handler = count, .sa_flags = flags};

	if (sigaction(number, &action, NULL) < 0)
		bare_show("sigaction", -1);
}

static void every_signal_is_handled(void)
{
	for (int number = 1; number <= SIGRTMAX; number++) {
		if (number == SIGKILL || number == SIGSTOP || (number > 31 && number < SIGRTMIN))
			continue;
		install(number, 0);
		raise(number);
		bare_burn(1);
	}
	printf("handled %d, last %d\n", handled, last);
}

static void every_signal_is_ignored(void)
{
	for (int number = 1; number <= SIGRTMAX; number++) {
		if (number == SIGKILL || number == SIGSTOP || (number > 31 && number < SIGRTMIN))
			continue;
		signal(number, SIG_IGN);
		raise(number);
	}
	bare_burn(10);
}

static void real_time_signals_queue(void)
{
	struct sigaction action = {.sa_sigaction = take_value, .sa_flags = SA_SIGINFO};
	sigset_t all, old;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++) {
		sigaction(number, &action, NULL);
		for (int i = 0; i < 3; i++)
			sigqueue(getpid(), number, (union sigval){.sival_int = 10 * number + i});
	}
	bare_burn(10);
	sigprocmask(SIG_SETMASK, &old, NULL);
	printf("handled %d\n", handled);
}

static void value_of_a_signal(void)
{
	struct sigaction action = {.sa_sigaction = take_value, .sa_flags = SA_SIGINFO};

	sigaction(SIGUSR1, &action, NULL);
	sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 77});
	bare_burn(5);
	printf("handled %d, value %d\n", handled, value);
}

static void handler_that_resets(void)
{
	install(SIGUSR1, SA_RESETHAND);
	raise(SIGUSR1);
	bare_burn(5);
	bare_state("in between");
	raise(SIGUSR1);
}

static int depth;

static void nest(int number)
{
	if (++depth < 5)
		raise(number);
	bare_burn(1);
}

static void handlers_that_nest(void)
{
	struct sigaction action = {.sa_handler = nest, .sa_flags = SA_NODEFER};

	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	bare_show("depth", depth);
}

static sigjmp_buf place;

static void jump(int number)
{
	siglongjmp(place, number);
}

static void jump_out_of_a_handler(void)
{
	signal(SIGUSR1, jump);
	for (int i = 0; i < 10; i++) {
		if (sigsetjmp(place, 1) == 0)
			raise(SIGUSR1);
		bare_burn(1);
	}
}

static void recover_from_segv(void)
{
	signal(SIGSEGV, jump);
	for (volatile int i = 0; i < 10; i++) {
		bare_burn(1);
		if (sigsetjmp(place, 1) == 0)
			*nowhere = i;
	}
	bare_show("recovered", 10);
}

static void recover_on_another_stack(void)
{
	size_t size = (size_t)sysconf(_SC_MINSIGSTKSZ);
	stack_t stack = {.ss_sp = malloc(size), .ss_size = size};
	struct sigaction action = {.sa_handler = jump, .sa_flags = SA_ONSTACK};

	bare_show("sigaltstack", sigaltstack(&stack, NULL));
	sigaction(SIGSEGV, &action, NULL);
	bare_burn(10);
	if (sigsetjmp(place, 1) == 0)
		*nowhere = 1;
	puts("recovered");
}

static void pending_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGRTMAX - 2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGUSR1, count);
	signal(SIGRTMAX - 2, count);
	raise(SIGUSR1);
	raise(SIGRTMAX - 2);
	bare_burn(10);
	bare_state("pending");
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	bare_show("handled", handled);
}

static void wait_for_all_signals(void)
{
	const struct timespec patience = {.tv_nsec = 20000000};
	double start = bare_now();
	siginfo_t info;
	sigset_t all;
	int number;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	bare_burn(10);
	bare_show("sigtimedwait", sigtimedwait(&all, &info, &patience));
	bare_show_length("sigtimedwait", start, 30);
	raise(SIGHUP);
	bare_show("sigwaitinfo", sigwaitinfo(&all, &info));
	raise(SIGRTMIN);
	bare_show("sigwait", sigwait(&all, &number));
	bare_show("signal", number - SIGRTMIN);
}

static void descriptor_of_all_signals(void)
{
	struct signalfd_siginfo info;
	struct pollfd poll_fd;
	sigset_t all;
	int fd;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	fd = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	bare_show("fd", fd);
	bare_burn(10);
	bare_show("read", read(fd, &info, sizeof(info)));
	poll_fd = (struct pollfd){.fd = fd, .events = POLLIN};
	bare_show("poll", poll(&poll_fd, 1, 10));
	raise(SIGTERM);
	bare_show("read", read(fd, &info, sizeof(info)));
	bare_show("signal", (long)info.ssi_signo);
	close(fd);
}

static void suspend(void)
{
	sigset_t set, none;

	sigemptyset(&none);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGALRM, count);
	setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 10000}}, NULL);
	bare_burn(5);
	bare_show("sigsuspend", sigsuspend(&none));
	bare_show("handled", handled);
}

static void wait_in_pause(void)
{
	const struct itimerval soon = {.it_value = {.tv_usec = 10000},
				       .it_interval = {.tv_usec = 10000}};
	const struct itimerval off = {.it_value = {.tv_usec = 0}};

	signal(SIGALRM, count);
	setitimer(ITIMER_REAL, &soon, NULL);
	bare_show("pause", pause());
	setitimer(ITIMER_REAL, &off, NULL);
	bare_show("handled", handled > 0);
}

static void burn_until(int wanted)
{
	for (int i = 0; i < 2000 && handled < wanted; i++)
		bare_burn(1);
	bare_show("enough", handled >= wanted);
}

static void run_timer(int which, int number)
{
	const struct itimerval interval = {.it_interval = {.tv_usec = 5000},
					   .it_value = {.tv_usec = 5000}};
	const struct itimerval off = {.it_value = {.tv_usec = 0}};
	struct itimerval old;

	signal(number, count);
	bare_show("setitimer", setitimer(which, &interval, NULL));
	burn_until(3);
	bare_show("setitimer", setitimer(which, &off, &old));
	bare_show("interval", old.it_interval.tv_usec);
}

static void own_sigprof(void)
{
	run_timer(ITIMER_PROF, SIGPROF);
}

static void virtual_timer(void)
{
	run_timer(ITIMER_VIRTUAL, SIGVTALRM);
}

static void real_timer(void)
{
	run_timer(ITIMER_REAL, SIGALRM);
}

static void death_by_sigprof(void)
{
	const struct itimerval soon = {.it_value = {.tv_usec = 1000}};

	setitimer(ITIMER_PROF, &soon, NULL);
	bare_burn(1000);
}

static void posix_timer(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMAX - 2};
	const struct itimerspec interval = {.it_interval = {.tv_nsec = 5000000},
					    .it_value = {.tv_nsec = 5000000}};
	struct itimerspec old;
	timer_t timer;

	install(SIGRTMAX - 2, SA_RESTART);
	bare_show("create", timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer));
	bare_show("set", timer_settime(timer, 0, &interval, NULL));
	burn_until(3);
	bare_show("get", timer_gettime(timer, &old));
	bare_show("interval", old.it_interval.tv_nsec);
	bare_show("delete", timer_delete(timer));
}

static void errno_in_a_handler(void)
{
	int wrong = 0;

	for (int i = 0; i < 20; i++) {
		errno = 1000 + i;
		for (volatile int j = 0; j < 500000; j++)
			;
		__asm__ volatile("" ::: "memory"); /* errno is read again */
		wrong += errno != 1000 + i;
	}
	bare_show("wrong", wrong);
}

static void children_that_end(void)
{
	sigset_t set, old;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &old);
	install(SIGCHLD, SA_NOCLDSTOP);
	for (int i = 0; i < 5; i++) {
		int pid = fork();

		if (pid == 0)
			_exit(i);
		bare_show_child("child", pid);
		sigprocmask(SIG_SETMASK, &old, NULL);
		sigprocmask(SIG_BLOCK, &set, NULL);
	}
	bare_show("handled", handled);
}

static void broken_pipe_that_is_ignored(void)
{
	int fds[2];

	signal(SIGPIPE, SIG_IGN);
	if (pipe(fds) < 0)
		return;
	close(fds[0]);
	bare_burn(5);
	bare_show("write", write(fds[1], "x", 1));
	close(fds[1]);
}

static void die(int number)
{
	bare_burn(5);
	raise(number);
}

static void death_by_term(void)
{
	die(SIGTERM);
}

static void death_by_kill(void)
{
	die(SIGKILL);
}

static void death_by_real_time_signal(void)
{
	die(SIGRTMAX - 2);
}

static void death_by_abort(void)
{
	bare_burn(5);
	abort();
}

static void death_by_segv(void)
{
	bare_burn(5);
	*nowhere = 1;
}

static void death_by_trap(void)
{
	bare_burn(5);
	__builtin_trap();
}

static void death_by_bus_error(void)
{
	int fd = memfd_create("empty", 0);
	char *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	bare_burn(5);
	*(volatile char *)map = 1;
}

static void death_by_broken_pipe(void)
{
	int fds[2];

	if (pipe(fds) < 0)
		return;
	close(fds[0]);
	bare_show("write", write(fds[1], "x", 1));
}

static void death_by_alarm(void)
{
	const struct itimerval soon = {.it_value = {.tv_usec = 10000}};

	setitimer(ITIMER_REAL, &soon, NULL);
	bare_burn(5000);
}

static void abort_that_is_handled(void)
{
	signal(SIGABRT, jump);
	if (sigsetjmp(place, 1) == 0)
		abort();
	puts("aborted");
}

static void nonsense(void)
{
	struct sigaction action = {.sa_handler = count};

	bare_show("KILL", sigaction(SIGKILL, &action, NULL));
	bare_show("0", sigaction(0, &action, NULL));
	bare_show("65", sigaction(65, &action, NULL));
	bare_show("32", sigaction(32, &action, NULL));
	bare_show("signal", signal(SIGSTOP, count) == SIG_ERR ? -1 : 0);
	bare_show("kill", kill(getpid(), 99));
	bare_show("sigqueue", sigqueue(getpid(), 99, (union sigval){.sival_int = 0}));
}

static void stop_and_continue(void)
{
	int pid = fork(), status;

	if (pid == 0) {
		bare_burn(5);
		raise(SIGSTOP);
		bare_burn(5);
		_exit(6);
	}
	waitpid(pid, &status, WUNTRACED);
	bare_show("stopped", WIFSTOPPED(status) ? WSTOPSIG(status) : -1);
	kill(pid, SIGCONT);
	bare_show_child("child", pid);
}

static const struct bare_case cases[] = {
	{"every signal is handled", every_signal_is_handled},
	{"every signal is ignored", every_signal_is_ignored},
	{"real-time signals queue", real_time_signals_queue},
	{"value of a signal", value_of_a_signal},
	{"handler that resets", handler_that_resets},
	{"handlers that nest", handlers_that_nest},
	{"jump out of a handler", jump_out_of_a_handler},
	{"recover from SIGSEGV", recover_from_segv},
	{"recover on another stack", recover_on_another_stack},
	{"pending signals", pending_signals},
	{"wait for all signals", wait_for_all_signals},
	{"descriptor of all signals", descriptor_of_all_signals},
	{"suspend", suspend},
	{"wait in pause", wait_in_pause},
	{"own SIGPROF", own_sigprof},
	{"virtual timer", virtual_timer},
	{"real timer", real_timer},
	{"death by SIGPROF", death_by_sigprof},
	{"POSIX timer", posix_timer},
	{"errno in a handler", errno_in_a_handler},
	{"children that end", children_that_end},
	{"broken pipe that is ignored", broken_pipe_that_is_ignored},
	{"death by SIGTERM", death_by_term},
	{"death by SIGKILL", death_by_kill},
	{"death by a real-time signal", death_by_real_time_signal},
	{"death by abort", death_by_abort},
	{"death by SIGSEGV", death_by_segv},
	{"death by a trap", death_by_trap},
	{"death by a bus error", death_by_bus_error},
	{"death by a broken pipe", death_by_broken_pipe},
	{"death by an alarm", death_by_alarm},
	{"abort that is handled", abort_that_is_handled},
	{"nonsense", nonsense},
	{"stop and continue", stop_and_continue},
};

BARE_MAIN(cases)
