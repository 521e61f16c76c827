/* SPDX-License-Identifier: MIT */
/*
 * Programs that have functions and data of their own under names of the C library, and show them to
 * everybody: who expects the C library's there gets these.
 */

#include "tests/targets/bare/bare.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* as they are */

/* The linker's name of each is the C library's; the compiler does not have to know. */
#define NEVER_CALLED(name)                                     \
	void own_##name(void) __asm__(#name);                  \
	__attribute__((noreturn, used)) void own_##name(void)  \
	{                                                      \
		static const char text[] = #name " is called"; \
                                                               \
		syscall(SYS_write, 2, text, sizeof(text) - 1); \
		_exit(99);                                     \
	}

NEVER_CALLED(clock_nanosleep)
NEVER_CALLED(dl_iterate_phdr)
NEVER_CALLED(dladdr)
NEVER_CALLED(dlclose)
NEVER_CALLED(dlopen)
NEVER_CALLED(dlsym)
NEVER_CALLED(execve)
NEVER_CALLED(execvpe)
NEVER_CALLED(getauxval)
NEVER_CALLED(getenv)
NEVER_CALLED(memcmp)
NEVER_CALLED(memmove)
NEVER_CALLED(mmap)
NEVER_CALLED(mmap64)
NEVER_CALLED(munmap)
NEVER_CALLED(nanosleep)
NEVER_CALLED(open)
NEVER_CALLED(open64)
NEVER_CALLED(pthread_atfork)
NEVER_CALLED(pthread_mutex_init)
NEVER_CALLED(pthread_mutex_lock)
NEVER_CALLED(pthread_mutex_unlock)
NEVER_CALLED(read)
NEVER_CALLED(sigaddset)
NEVER_CALLED(sigfillset)
NEVER_CALLED(ssignal)
NEVER_CALLED(stpcpy)
NEVER_CALLED(strcat)
NEVER_CALLED(strchr)
NEVER_CALLED(strcpy)
NEVER_CALLED(strcspn)
NEVER_CALLED(strrchr)
NEVER_CALLED(strspn)
NEVER_CALLED(strtol)
NEVER_CALLED(strtoul)

#define DATA(name)                             \
	extern int data_##name __asm__(#name); \
	__attribute__((used)) int data_##name = 7;

DATA(connect)
DATA(epoll_wait)
DATA(msgrcv)
DATA(pause)
DATA(poll)
DATA(select)
DATA(semop)
DATA(sigsuspend)
DATA(sigwait)

static int calls;

/* What the program does call does what it should. */
int sigprocmask(int how, const sigset_t *set, sigset_t *ret_old)
{
	calls++;
	return (int)syscall(SYS_rt_sigprocmask, how, set, ret_old, 8);
}

static void *burn(void *unused)
{
	bare_burn(5);
	return unused;
}

static void functions_of_its_own(void)
{
	char *command[] = {(char[]){"true"}, NULL};
	pthread_t thread;
	int pid;

	bare_show("create", pthread_create(&thread, NULL, burn, NULL));
	pthread_join(thread, NULL);
	sighold(SIGUSR1);
	sigrelse(SIGUSR1);
	bare_show("usleep", usleep(1000));
	bare_show("sleep", sleep(0));
	signal(SIGUSR2, SIG_IGN);
	fflush(stdout);
	bare_show("system", system("exit 3"));
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		bare_burn(5);
		execv("/bin/true", command);
		_exit(9);
	}
	bare_show_child("child", pid);
	bare_burn(20);
	bare_show("calls", calls);
}

static void data_of_its_own(void)
{
	bare_burn(20);
	bare_show("poll", data_poll);
	bare_show("all", data_connect + data_epoll_wait + data_msgrcv + data_pause + data_select +
				 data_semop + data_sigsuspend + data_sigwait);
}

static const struct bare_case cases[] = {
	{"functions of its own", functions_of_its_own},
	{"data of its own", data_of_its_own},
};

BARE_MAIN(cases)
