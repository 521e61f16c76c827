/* SPDX-License-Identifier: MIT */
/* Programs that the kernel or the C library tells by signals that something has happened. */

#include "tests/targets/bare/bare.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The one that a profiler may have for itself. */
#define SIGNAL (SIGRTMAX - 2)

static volatile sig_atomic_t handled, code, value;

static void note(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	handled++;
	code = info->si_code;
	value = info->si_value.sival_int;
}

static void install(int number)
{
	const struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO | SA_RESTART};

	sigaction(number, &action, NULL);
}

static void wait_for(int wanted)
{
	for (int i = 0; i < 10000 && handled < wanted; i++) {
		bare_burn(1);
		usleep(1000);
	}
	printf("handled %d, code %d, value %d\n", handled, code, value);
}

static int signalled_pair(int fds[2], int number)
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) < 0)
		return -1;
	fcntl(fds[0], F_SETOWN, getpid());
	fcntl(fds[0], F_SETSIG, number);
	return fcntl(fds[0], F_SETFL, O_ASYNC | O_NONBLOCK);
}

static void input_that_arrives(void)
{
	int fds[2];

	install(SIGNAL);
	bare_show("async", signalled_pair(fds, SIGNAL));
	bare_show("write", write(fds[1], "x", 1));
	for (int i = 0; i < 10000 && !handled; i++)
		usleep(1000);
	bare_show("input", code == POLL_IN);
	close(fds[0]);
	close(fds[1]);
}

static void death_by_input(void)
{
	int fds[2];

	signalled_pair(fds, SIGNAL);
	bare_burn(5);
	fflush(stdout);
	bare_show("write", write(fds[1], "x", 1));
	bare_burn(1000);
}

static sem_t told;

static void tell(union sigval ours)
{
	sigset_t set;

	value = ours.sival_int;
	pthread_sigmask(SIG_BLOCK, NULL, &set);
	printf("in a thread of the library, blocked %d\n", sigismember(&set, SIGNAL));
	bare_burn(10);
	sem_post(&told);
}

static const struct itimerspec soon = {.it_value = {.tv_nsec = 10000000}};

static void timer_with_a_thread(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD,
				 .sigev_notify_function = tell,
				 .sigev_value = {.sival_int = 5}};
	timer_t timer;

	sem_init(&told, 0, 0);
	bare_show("create", timer_create(CLOCK_MONOTONIC, &event, &timer));
	bare_show("set", timer_settime(timer, 0, &soon, NULL));
	while (sem_wait(&told) < 0)
		;
	bare_show("value", value);
	bare_show("delete", timer_delete(timer));
}

static void timer_of_the_process(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
				 .sigev_signo = SIGNAL,
				 .sigev_value = {.sival_int = 6}};
	timer_t timer;

	install(SIGNAL);
	bare_show("create", timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer));
	bare_show("set", timer_settime(timer, 0, &soon, NULL));
	wait_for(1);
	bare_show("overrun", timer_getoverrun(timer));
	bare_show("delete", timer_delete(timer));
}

static void timer_without_a_signal(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_NONE};
	struct itimerspec left = {.it_value = {.tv_sec = 1}};
	timer_t timer;

	bare_show("create", timer_create(CLOCK_MONOTONIC, &event, &timer));
	bare_show("set", timer_settime(timer, 0, &soon, NULL));
	bare_burn(20);
	bare_show("get", timer_gettime(timer, &left));
	bare_show("over", left.it_value.tv_nsec == 0);
}

static void death_by_a_timer(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGNAL};
	timer_t timer;

	timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer);
	timer_settime(timer, 0, &soon, NULL);
	fflush(stdout);
	bare_burn(1000);
}

/* Where there may be no queues, their name is not to be had bare either. */
static void messages(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
				 .sigev_signo = SIGNAL,
				 .sigev_value = {.sival_int = 7}};
	struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = 16};
	char name[64];
	mqd_t queue;

	snprintf(name, sizeof(name), "/profrun-bare-%d", (int)getpid());
	queue = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &attributes);
	mq_unlink(name);
	if (queue < 0)
		return;
	install(SIGNAL);
	bare_show("notify", mq_notify(queue, &event));
	bare_show("send", mq_send(queue, "hello", 6, 1));
	wait_for(1);
	mq_close(queue);
}

static void reads_in_the_background(void)
{
	char text[16] = "";
	struct aiocb request = {.aio_buf = text,
				.aio_nbytes = 5,
				.aio_sigevent = {.sigev_notify = SIGEV_SIGNAL,
						 .sigev_signo = SIGNAL,
						 .sigev_value = {.sival_int = 8}}};
	/* Or the library's thread is gone after a second, which a busy machine may take. */
	const struct aioinit stays = {.aio_threads = 1, .aio_num = 1, .aio_idle_time = 1000};
	int fds[2];

	if (pipe(fds) < 0)
		return;
	aio_init(&stays);
	install(SIGNAL);
	request.aio_fildes = fds[0];
	bare_show("aio_read", aio_read(&request));
	bare_burn(5);
	bare_show("write", write(fds[1], "hello", 5));
	wait_for(1);
	bare_show("result", aio_return(&request));
	puts(text);
	close(fds[0]);
	close(fds[1]);
}

static void queued_to_a_thread(void)
{
	install(SIGNAL);
	bare_show("queue",
		  pthread_sigqueue(pthread_self(), SIGNAL, (union sigval){.sival_int = 9}));
	wait_for(1);
	bare_show("kill", pthread_kill(pthread_self(), SIGNAL));
	wait_for(2);
	bare_show("tgkill", tgkill(getpid(), gettid(), SIGNAL));
	wait_for(3);
}

static void death_by_a_queued_signal(void)
{
	bare_burn(5);
	fflush(stdout);
	sigqueue(getpid(), SIGNAL, (union sigval){.sival_ptr = (void *)0x70726f6600000000});
	bare_burn(1000);
}

static void parent_that_dies(void)
{
	int fds[2], pid;
	char byte;

	if (pipe(fds) < 0)
		return;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (fork() == 0) {
			install(SIGNAL);
			prctl(PR_SET_PDEATHSIG, SIGNAL);
			close(fds[0]);
			bare_show("write", write(fds[1], "x", 1));
			wait_for(1);
			fflush(stdout);
			_exit(0);
		}
		if (read(fds[0], &byte, 1) == 1)
			bare_burn(5);
		_exit(4);
	}
	close(fds[1]);
	bare_show_child("child", pid);
	while (read(fds[0], &byte, 1) > 0)
		;
	close(fds[0]);
}

static int burn_and_end(void *unused)
{
	(void)unused;
	for (volatile int i = 0; i < 10000000; i++)
		;
	syscall(SYS_exit_group, 5);
	return 0;
}

static void clone_with(int flags)
{
	const size_t size = 256 << 10;
	char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int status = 0, pid = clone(burn_and_end, stack + size, flags, NULL);

	bare_show("made", pid > 0);
	bare_burn(5);
	bare_show("waited", waitpid(pid, &status, __WALL) == pid);
	bare_show("status", WEXITSTATUS(status));
	munmap(stack, size);
}

static void child_that_ends_with_another_signal(void)
{
	install(SIGNAL);
	clone_with(SIGNAL);
	wait_for(1);
}

static void child_that_ends_without_a_signal(void)
{
	install(SIGCHLD);
	clone_with(0);
	bare_show("handled", handled);
}

static void child_in_the_same_memory(void)
{
	clone_with(CLONE_VM | SIGCHLD);
	clone_with(CLONE_VM | CLONE_VFORK | SIGCHLD);
	clone_with(CLONE_VM | CLONE_FILES | CLONE_FS | CLONE_SIGHAND | SIGCHLD);
}

static const struct bare_case cases[] = {
	{"input that arrives", input_that_arrives},
	{"death by input", death_by_input},
	{"timer with a thread", timer_with_a_thread},
	{"timer of the process", timer_of_the_process},
	{"timer without a signal", timer_without_a_signal},
	{"death by a timer", death_by_a_timer},
	{"messages", messages},
	{"reads in the background", reads_in_the_background},
	{"queued to a thread", queued_to_a_thread},
	{"death by a queued signal", death_by_a_queued_signal},
	{"parent that dies", parent_that_dies},
	{"child that ends with another signal", child_that_ends_with_another_signal},
	{"child that ends without a signal", child_that_ends_without_a_signal},
	{"child in the same memory", child_in_the_same_memory},
};

BARE_MAIN(cases)
