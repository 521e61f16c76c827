/* SPDX-License-Identifier: MIT */
/* Programs that wait: neither shorter than they asked, nor interrupted. */

#include "tests/targets/bare/bare.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#define NANOSECONDS 1000000

static const struct timespec ten = {.tv_nsec = 10 * NANOSECONDS};

/* Each of them between two stretches of work, where ticks come. */
static void repeat(const char *what, int (*wait)(void))
{
	for (int i = 0; i < 3; i++) {
		double start;

		bare_burn(2);
		start = bare_now();
		bare_show(what, wait());
		bare_show_length(what, start, 10);
	}
}

static int by_nanosleep(void)
{
	return nanosleep(&ten, NULL);
}

static int by_usleep(void)
{
	return usleep(10000);
}

static int by_clock_nanosleep(void)
{
	return clock_nanosleep(CLOCK_MONOTONIC, 0, &ten, NULL);
}

static struct timespec in_ten(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	time.tv_nsec += 10 * NANOSECONDS;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

static int until_a_time(void)
{
	struct timespec time = in_ten(CLOCK_MONOTONIC);

	return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

static int by_poll(void)
{
	return poll(NULL, 0, 10);
}

static int by_ppoll(void)
{
	return ppoll(NULL, 0, &ten, NULL);
}

static int by_select(void)
{
	struct timeval patience = {.tv_usec = 10000};

	return select(0, NULL, NULL, NULL, &patience);
}

static int by_pselect(void)
{
	return pselect(0, NULL, NULL, NULL, &ten, NULL);
}

static int by_epoll(void)
{
	struct epoll_event event;
	int fd = epoll_create1(0), r = epoll_wait(fd, &event, 1, 10);

	close(fd);
	return r;
}

static int by_semaphore(void)
{
	struct timespec time = in_ten(CLOCK_REALTIME);
	sem_t semaphore;

	sem_init(&semaphore, 0, 0);
	return sem_timedwait(&semaphore, &time);
}

static int by_condition(void)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	struct timespec time = in_ten(CLOCK_REALTIME);
	int r;

	pthread_mutex_lock(&mutex);
	r = pthread_cond_timedwait(&condition, &mutex, &time);
	pthread_mutex_unlock(&mutex);
	return r;
}

static int by_mutex(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	struct timespec time = in_ten(CLOCK_REALTIME);

	pthread_mutex_lock(&mutex);
	return pthread_mutex_timedlock(&mutex, &time);
}

static int by_old_semaphore(void)
{
	int id = semget(IPC_PRIVATE, 1, 0600);
	struct sembuf operation = {.sem_op = -1};
	int r = semtimedop(id, &operation, 1, &ten), error = errno;

	semctl(id, 0, IPC_RMID);
	errno = error;
	return r;
}

static int by_receiving(void)
{
	const struct timeval patience = {.tv_usec = 12000};
	int fds[2], r, error;
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) < 0)
		return -1;
	setsockopt(fds[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	r = (int)recv(fds[0], &byte, 1, 0);
	error = errno;
	close(fds[0]);
	close(fds[1]);
	errno = error;
	return r;
}

static int by_signal_wait(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	return sigtimedwait(&set, NULL, &ten);
}

#define CASE(name, wait)             \
	static void name(void)       \
	{                            \
		repeat(#name, wait); \
	}

CASE(nanosleep_, by_nanosleep)
CASE(usleep_, by_usleep)
CASE(clock_nanosleep_, by_clock_nanosleep)
CASE(absolute, until_a_time)
CASE(poll_, by_poll)
CASE(ppoll_, by_ppoll)
CASE(select_, by_select)
CASE(pselect_, by_pselect)
CASE(epoll_, by_epoll)
CASE(semaphore, by_semaphore)
CASE(condition, by_condition)
CASE(mutex_, by_mutex)
CASE(old_semaphore, by_old_semaphore)
CASE(receiving, by_receiving)
CASE(signal_wait, by_signal_wait)

static void interrupted(int number)
{
	(void)number;
}

/* Again and again: the first one may come before the sleep. */
static void interrupted_sleep(void)
{
	const struct itimerval soon = {.it_value = {.tv_usec = 10000},
				       .it_interval = {.tv_usec = 10000}};
	const struct itimerval off = {.it_value = {.tv_usec = 0}};
	const struct timespec long_time = {.tv_sec = 1000};
	struct timespec left;

	signal(SIGALRM, interrupted);
	bare_burn(5);
	setitimer(ITIMER_REAL, &soon, NULL);
	bare_show("nanosleep", nanosleep(&long_time, &left));
	bare_show("left", left.tv_sec > 900);
	bare_show("sleep", sleep(1000) > 900);
	sigaction(SIGALRM, &(struct sigaction){.sa_handler = interrupted}, NULL);
	bare_show("poll", poll(NULL, 0, 1000000));
	setitimer(ITIMER_REAL, &off, NULL);
}

static void alarm_clock(void)
{
	bare_show("alarm", alarm(100));
	bare_burn(5);
	bare_show("left", alarm(0) > 50);
}

static void clocks(void)
{
	struct rusage usage;
	struct tms times_;
	clock_t start = clock();

	bare_burn(20);
	bare_show("clock", clock() - start >= 20000);
	getrusage(RUSAGE_SELF, &usage);
	bare_show("getrusage", usage.ru_utime.tv_usec + usage.ru_stime.tv_usec >= 19000);
	times(&times_);
	bare_show("times", times_.tms_utime + times_.tms_stime >= 1);
}

static const struct bare_case cases[] = {
	{"nanosleep", nanosleep_},
	{"usleep", usleep_},
	{"clock_nanosleep", clock_nanosleep_},
	{"until a time", absolute},
	{"poll", poll_},
	{"ppoll", ppoll_},
	{"select", select_},
	{"pselect", pselect_},
	{"epoll_wait", epoll_},
	{"semaphore", semaphore},
	{"condition", condition},
	{"mutex", mutex_},
	{"System V semaphore", old_semaphore},
	{"receiving", receiving},
	{"sigtimedwait", signal_wait},
	{"interrupted sleep", interrupted_sleep},
	{"alarm", alarm_clock},
	{"clocks", clocks},
};

BARE_MAIN(cases)
