/* SPDX-License-Identifier: MIT */
/* Programs that make other processes, and what becomes of those. */

#include "tests/targets/bare/bare.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that runs @work and ends with its result. */
static int child_of(int (*work)(void))
{
	int pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		int status = work();

		fflush(stdout);
		_exit(status);
	}
	return pid;
}

static int burn(void)
{
	bare_burn(5);
	return 7;
}

static int show_state(void)
{
	bare_state("in the child");
	return 8;
}

static int die(void)
{
	bare_burn(5);
	raise(SIGUSR1);
	return 0;
}

static int crash(void)
{
	bare_burn(5);
	abort();
}

static void fork_and_wait(void)
{
	bare_show_child("child", child_of(burn));
	bare_show_child("child", child_of(show_state));
	bare_show_child("child", child_of(die));
	bare_show_child("child", child_of(crash));
}

static int fork_again(void)
{
	bare_burn(2);
	bare_show_child("grandchild", child_of(burn));
	return 1;
}

static void children_of_children(void)
{
	bare_show_child("child", child_of(fork_again));
}

static void a_hundred_at_once(void)
{
	int pids[100];

	for (int i = 0; i < 100; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			_exit(i);
	}
	for (int i = 0; i < 100; i++)
		bare_show_child("child", pids[i]);
}

static void raw_fork(void)
{
	int pid;

	fflush(stdout);
	pid = _Fork();
	if (pid == 0) {
		bare_burn(5);
		_exit(5);
	}
	bare_show_child("_Fork", pid);
	pid = (int)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (pid == 0) {
		bare_burn(5);
		syscall(SYS_exit_group, 6);
	}
	bare_show_child("clone", pid);
}

static void raw_clone3(void)
{
	struct clone_args arguments = {.exit_signal = SIGCHLD};
	int pid = (int)syscall(SYS_clone3, &arguments, sizeof(arguments));

	if (pid == 0) {
		bare_burn(5);
		syscall(SYS_exit_group, 6);
	}
	bare_show_child("clone3", pid);
}

static void vfork_and_exit(void)
{
	volatile int shared = 0;

	for (volatile int i = 0; i < 20; i++) {
		int pid = vfork();

		if (pid == 0) {
			shared++;
			_exit(i);
		}
		bare_show_child("child", pid);
	}
	bare_show("shared", shared);
}

static void vfork_and_exec(void)
{
	for (int i = 0; i < 5; i++) {
		int pid = vfork();

		if (pid == 0) {
			execl("/bin/sh", "sh", "-c", "exit 4", (char *)NULL);
			_exit(127);
		}
		bare_burn(1);
		bare_show_child("child", pid);
	}
}

static int detach(void)
{
	int fd = open("daemon", O_CREAT | O_TRUNC | O_WRONLY, 0644);

	if (daemon(1, 1) < 0)
		return 1;
	bare_burn(5);
	dprintf(fd, "the daemon was here\n");
	kill(getpid(), SIGKILL);
	return 0;
}

/* It ends by its own hand when it has written. */
static void daemon_by_double_fork(void)
{
	char text[64] = "";
	int fd;

	bare_show_child("parent of the daemon", child_of(detach));
	fd = open("daemon", O_RDONLY);
	for (int i = 0; i < 30000 && read(fd, text, sizeof(text) - 1) == 0; i++)
		usleep(1000);
	fputs(text, stdout);
	close(fd);
}

static void no_zombies(void)
{
	signal(SIGCHLD, SIG_IGN);
	bare_show_child("child", child_of(burn));
}

static void waits_for_any(void)
{
	siginfo_t info = {.si_code = 0};
	struct rusage usage;
	int status;

	child_of(burn);
	bare_show("waitid", waitid(P_ALL, 0, &info, WEXITED | WNOWAIT));
	bare_show("status", info.si_status);
	bare_show("wait4", wait4(-1, &status, 0, &usage) > 0);
	bare_show("CPU time", usage.ru_utime.tv_usec + usage.ru_stime.tv_usec >= 4000);
	bare_show("wait4", wait4(-1, &status, 0, &usage));
}

static void subreaper(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	bare_show_child("child", child_of(burn));
}

static void handlers_of_fork_before(void)
{
	puts("before");
}

static void handlers_of_fork_parent(void)
{
	puts("in the parent");
}

static void handlers_of_fork_child(void)
{
	puts("in the child");
}

static void handlers_of_fork(void)
{
	pthread_atfork(handlers_of_fork_before, handlers_of_fork_parent, handlers_of_fork_child);
	bare_show_child("child", child_of(burn));
}

static void first_at_exit(void)
{
	puts("registered first");
}

static void second_at_exit(void)
{
	puts("registered second");
	bare_burn(5);
}

static void handlers_of_exit(void)
{
	atexit(first_at_exit);
	atexit(second_at_exit);
	exit(11);
}

static void quick_exit_(void)
{
	at_quick_exit(first_at_exit);
	atexit(second_at_exit);
	fflush(stdout);
	quick_exit(12);
}

static void immediate_exit(void)
{
	atexit(first_at_exit);
	puts("lost in the buffer");
	_exit(13);
}

static void group_that_is_killed(void)
{
	int pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		signal(SIGUSR1, SIG_IGN);
		for (int i = 0; i < 3; i++)
			if (fork() == 0) {
				pause();
				_exit(0);
			}
		kill(0, SIGTERM);
		_exit(1);
	}
	bare_show_child("leader", pid);
}

static int show_terminal(void)
{
	bare_show("a terminal", isatty(0));
	bare_show("leader", getsid(0) == getpid());
	return 3;
}

static void terminal_of_its_own(void)
{
	char text[256];
	ssize_t size;
	int fd, pid = forkpty(&fd, NULL, NULL, NULL);

	if (pid == 0)
		exit(show_terminal());
	while ((size = read(fd, text, sizeof(text))) > 0)
		fwrite(text, 1, (size_t)size, stdout);
	bare_show_child("child", pid);
	close(fd);
}

static void handle_and_fork(int number)
{
	int pid = fork();

	if (pid == 0)
		_exit(number == SIGUSR1);
	waitpid(pid, NULL, 0);
}

static void fork_in_a_handler(void)
{
	signal(SIGUSR1, handle_and_fork);
	for (int i = 0; i < 5; i++) {
		raise(SIGUSR1);
		bare_burn(2);
	}
}

static void fork_of_a_large_process(void)
{
	const size_t size = 256 << 20;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	for (int i = 0; i < 3; i++)
		bare_show_child("child", child_of(burn));
	munmap(memory, size);
}

static const struct bare_case cases[] = {
	{"fork and wait", fork_and_wait},
	{"children of children", children_of_children},
	{"a hundred at once", a_hundred_at_once},
	{"raw fork", raw_fork},
	{"raw clone3", raw_clone3},
	{"vfork and exit", vfork_and_exit},
	{"vfork and exec", vfork_and_exec},
	{"daemon by double fork", daemon_by_double_fork},
	{"no zombies", no_zombies},
	{"waits for any", waits_for_any},
	{"subreaper", subreaper},
	{"handlers of fork", handlers_of_fork},
	{"handlers of exit", handlers_of_exit},
	{"quick exit", quick_exit_},
	{"immediate exit", immediate_exit},
	{"group that is killed", group_that_is_killed},
	{"terminal of its own", terminal_of_its_own},
	{"fork in a handler", fork_in_a_handler},
	{"fork of a large process", fork_of_a_large_process},
};

BARE_MAIN(cases)
