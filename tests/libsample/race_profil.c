/* SPDX-License-Identifier: MIT */
/*
 * Threads that start and stop histograms while others tick and come and go, built with
 * ThreadSanitizer: a plain program, since Criterion and TSan do not go together.
 */

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "libsample/profil.h"

extern const char __executable_start; /* the linker's */

static void *burn(void *unused)
{
	struct timespec now;

	do {
		for (volatile int i = 0; i < 20000; i++)
			;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while (now.tv_sec == 0 && now.tv_nsec < 150000000);
	return unused;
}

static void *start_and_stop(void *unused)
{
	static const struct timespec nap = {.tv_nsec = 2000000};
	struct profil histogram = {0};

	for (int i = 0; i < 40; i++) {
		unsigned short *buf = calloc(1, 4096);

		profil_r(&histogram, buf, 4096, (size_t)&__executable_start, 2);
		nanosleep(&nap, NULL);
		profil_r(&histogram, NULL, 0, 0, 0);
		free(buf);
	}
	return unused;
}

int main(void)
{
	static void *(*const functions[])(void *) = {burn, start_and_stop, burn, start_and_stop};
	pthread_t threads[4];

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 4; i++)
			pthread_create(&threads[i], NULL, functions[i], NULL);
		for (int i = 0; i < 4; i++)
			pthread_join(threads[i], NULL);
	}
	return 0;
}
