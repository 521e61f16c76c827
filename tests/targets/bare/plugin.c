/* SPDX-License-Identifier: MIT */
/* A plugin that does what the preload interposes. */

#include "tests/targets/bare/plugin.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static volatile sig_atomic_t handled;

static void handle(int number)
{
	(void)number;
	handled++;
}

static void *burn(void *unused)
{
	for (volatile int i = 0; i < 5000000; i++)
		;
	return unused;
}

int bare_plugin_work(void)
{
	const struct timespec length = {.tv_nsec = 1000000};
	struct sigaction action = {.sa_handler = handle}, old;
	pthread_t thread;
	int well = 0;

	handled = 0;
	well += sigaction(SIGUSR2, &action, &old) == 0;
	well += pthread_create(&thread, NULL, burn, NULL) == 0;
	burn(NULL);
	well += raise(SIGUSR2) == 0;
	well += handled == 1;
	well += nanosleep(&length, NULL) == 0;
	well += pthread_join(thread, NULL) == 0;
	well += sigaction(SIGUSR2, &old, NULL) == 0;
	return well;
}
