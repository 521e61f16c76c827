/* SPDX-License-Identifier: MIT */
/*
 * A program that profiles itself: with the argument "profil" by the C library's profil(3) over its
 * own text, "timer" by ITIMER_PROF and a handler for SIGPROF, without any because it was built with
 * -pg. It prints how many ticks of 10 ms of its CPU time it counted, in hundredths of the true
 * number.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECONDS 1.0

static volatile sig_atomic_t ticks;
static unsigned short buckets[1 << 16];

static __attribute__((noinline)) void own_burn(void)
{
	struct timespec now;

	do {
		for (volatile int i = 0; i < 10000; i = i + 1)
			;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	} while ((double)now.tv_sec + (double)now.tv_nsec * 1e-9 < SECONDS);
}

static void count(int signal)
{
	(void)signal;
	ticks++;
}

static void by_profil(void)
{
	unsigned short *none = NULL;

	/* All that lies at own_burn or behind it, as far as the buckets reach. */
	profil(buckets, sizeof(buckets), (size_t)own_burn, 0x10000);
	own_burn();
	/* The header says that it must not be NULL, the manual that NULL stops. */
	__asm__("" : "+r"(none));
	profil(none, 0, 0, 0);
	for (size_t i = 0; i < sizeof(buckets) / sizeof(*buckets); i++)
		ticks += buckets[i];
}

static void by_timer(void)
{
	const struct itimerval times = {{0, 10000}, {0, 10000}};
	struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART};
	struct itimerval left;

	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &times, NULL);
	own_burn();
	getitimer(ITIMER_PROF, &left);
	if (left.it_interval.tv_usec != 10000)
		puts("the timer was changed");
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "profil") == 0)
		by_profil();
	else if (argc > 1 && strcmp(argv[1], "timer") == 0)
		by_timer();
	else
		own_burn();
	printf("%d\n", (int)ticks);
	return 0;
}
