/* SPDX-License-Identifier: MIT */
/*
 * Calls that the kernel does not restart after a signal handler, with a tick queued into each: what
 * they return and how long they take must be what it is without profrun, where no tick is queued.
 * Prints a line for each call; a length is told as early, right or late.
 */

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WAIT_MS	   200
#define QUEUE_MS   20
#define LATE_MS	   150 /* what a machine may add, beside the wait for a CPU */
#define TICK_VALUE UINT64_C(0x70726f6600000000)

static pid_t waiter;
static int tick_signal; /* 0: nobody ticks here */

/* The highest real-time signal that is caught, which this program itself does not do. */
static int find_tick_signal(void)
{
	char line[256];
	unsigned long long caught = 0;
	FILE *file = fopen("/proc/self/status", "re");

	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "SigCgt: %llx", &caught);
	if (file)
		fclose(file);
	for (int number = SIGRTMAX; number >= SIGRTMIN; number--)
		if (caught >> (number - 1) & 1)
			return number;
	return 0;
}

static void pause_ms(long milliseconds)
{
	/* Not by a function that is under test. */
	const struct timespec time = {.tv_nsec = milliseconds * 1000000};

	syscall(SYS_nanosleep, &time, NULL);
}

static void *queue_ticks(void *unused)
{
	/* Of no timer: those do not interrupt calls on many kernels, and are known. */
	siginfo_t info = {.si_signo = tick_signal, .si_code = SI_TIMER, .si_timerid = -1};

	(void)unused;
	info.si_value.sival_ptr = (void *)(uintptr_t)TICK_VALUE;
	for (int i = 0; i < 4; i++) {
		pause_ms(QUEUE_MS);
		if (tick_signal)
			syscall(SYS_rt_tgsigqueueinfo, getpid(), waiter, tick_signal, &info);
	}
	return NULL;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* How long this thread has waited for a CPU: a busy machine makes every call late. */
static double waited_ms(void)
{
	unsigned long long waited = 0;
	FILE *file = fopen("/proc/thread-self/schedstat", "re");

	if (file && fscanf(file, "%*u %llu", &waited) != 1)
		waited = 0;
	if (file)
		fclose(file);
	return (double)waited * 1e-6;
}

static struct timespec from_now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	time.tv_nsec += WAIT_MS * 1000000l;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

static const struct timespec wait_time = {.tv_nsec = WAIT_MS * 1000000l};
static int epoll_fd, queue;
static sem_t semaphore;

static int call_poll(void)
{
	return poll(NULL, 0, WAIT_MS);
}

static int call_ppoll(void)
{
	return ppoll(NULL, 0, &wait_time, NULL);
}

static int call_select(void)
{
	struct timeval time = {.tv_usec = WAIT_MS * 1000l};

	return select(0, NULL, NULL, NULL, &time);
}

static int call_pselect(void)
{
	return pselect(0, NULL, NULL, NULL, &wait_time, NULL);
}

static int call_epoll_wait(void)
{
	struct epoll_event event;

	return epoll_wait(epoll_fd, &event, 1, WAIT_MS);
}

static int call_epoll_pwait(void)
{
	struct epoll_event event;

	return epoll_pwait(epoll_fd, &event, 1, WAIT_MS, NULL);
}

static int call_nanosleep(void)
{
	return nanosleep(&wait_time, NULL);
}

static int call_clock_nanosleep(void)
{
	errno = clock_nanosleep(CLOCK_MONOTONIC, 0, &wait_time, NULL);
	return errno ? -1 : 0;
}

static int call_clock_nanosleep_until(void)
{
	const struct timespec end = from_now(CLOCK_MONOTONIC);

	errno = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
	return errno ? -1 : 0;
}

static int call_usleep(void)
{
	return usleep(WAIT_MS * 1000);
}

static int call_sem_timedwait(void)
{
	const struct timespec end = from_now(CLOCK_REALTIME);

	return sem_timedwait(&semaphore, &end);
}

static int call_sigtimedwait(void)
{
	sigset_t set;

	sigfillset(&set);
	return sigtimedwait(&set, NULL, &wait_time);
}

static void *send_message(void *unused)
{
	const struct {
		long type;
		char text[1];
	} message = {.type = 1};

	(void)unused;
	pause_ms(WAIT_MS);
	msgsnd(queue, &message, 1, 0);
	return NULL;
}

static int call_msgrcv(void)
{
	struct {
		long type;
		char text[1];
	} message;
	pthread_t sender;
	int r;

	pthread_create(&sender, NULL, send_message, NULL);
	r = (int)msgrcv(queue, &message, 1, 0, 0);
	pthread_join(sender, NULL);
	return r;
}

static void *send_signal(void *unused)
{
	(void)unused;
	pause_ms(WAIT_MS);
	syscall(SYS_tgkill, getpid(), waiter, SIGUSR1);
	return NULL;
}

static void ignore(int number)
{
	(void)number;
}

/* These end by the program's own handler, and say so. */
static int wait_for_signal(int (*function)(void))
{
	pthread_t sender;
	int r, error;

	signal(SIGUSR1, ignore);
	pthread_create(&sender, NULL, send_signal, NULL);
	r = function();
	error = errno;
	pthread_join(sender, NULL);
	errno = error;
	return r;
}

static int call_pause(void)
{
	return wait_for_signal(pause);
}

static int suspend(void)
{
	sigset_t none;

	sigemptyset(&none);
	return sigsuspend(&none);
}

static int call_sigsuspend(void)
{
	return wait_for_signal(suspend);
}

static int poll_for_ever(void)
{
	return poll(NULL, 0, -1);
}

static int call_poll_until_signal(void)
{
	return wait_for_signal(poll_for_ever);
}

/* As long as can be said, which is longer than nanoseconds can be counted. */
static const struct timespec longest = {.tv_sec = LONG_MAX};

static int poll_for_longest(void)
{
	return ppoll(NULL, 0, &longest, NULL);
}

static int call_ppoll_until_signal(void)
{
	return wait_for_signal(poll_for_longest);
}

static int select_for_longest(void)
{
	return pselect(0, NULL, NULL, NULL, &longest, NULL);
}

static int call_pselect_until_signal(void)
{
	return wait_for_signal(select_for_longest);
}

static const struct {
	const char *name;
	int (*function)(void);
} calls[] = {
	{"poll", call_poll},
	{"ppoll", call_ppoll},
	{"select", call_select},
	{"pselect", call_pselect},
	{"epoll_wait", call_epoll_wait},
	{"epoll_pwait", call_epoll_pwait},
	{"nanosleep", call_nanosleep},
	{"clock_nanosleep", call_clock_nanosleep},
	{"clock_nanosleep until", call_clock_nanosleep_until},
	{"usleep", call_usleep},
	{"sem_timedwait", call_sem_timedwait},
	{"sigtimedwait", call_sigtimedwait},
	{"msgrcv", call_msgrcv},
	{"pause", call_pause},
	{"sigsuspend", call_sigsuspend},
	{"poll until a signal", call_poll_until_signal},
	{"ppoll until a signal", call_ppoll_until_signal},
	{"pselect until a signal", call_pselect_until_signal},
};

static void check(const char *name, int (*function)(void))
{
	double waited = waited_ms(), start = now(), took;
	pthread_t ticks;
	int r, error;

	pthread_create(&ticks, NULL, queue_ticks, NULL);
	errno = 0;
	r = function();
	error = r < 0 ? errno : 0;
	took = now() - start;
	waited = waited_ms() - waited;
	pthread_join(ticks, NULL);
	printf("%s: %d, %s, %s\n", name, r, error ? strerror(error) : "no error",
	       took < WAIT_MS - 1		   ? "early"
	       : took - waited > WAIT_MS + LATE_MS ? "late"
						   : "right");
}

int main(void)
{
	waiter = (pid_t)syscall(SYS_gettid);
	tick_signal = find_tick_signal();
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	queue = msgget(IPC_PRIVATE, 0600);
	sem_init(&semaphore, 0, 0);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		check(calls[i].name, calls[i].function);
	msgctl(queue, IPC_RMID, NULL);
	return 0;
}
