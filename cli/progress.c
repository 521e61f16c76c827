/* SPDX-License-Identifier: MIT */
/* What profrun is doing while it takes long. */

#include "cli/progress.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 1000 /* before anything is shown */
#define REDRAW_MS   200

static struct {
	pthread_t thread;
	pthread_mutex_t lock; /* of the two below */
	pthread_cond_t wake;
	bool ended;
	bool running; /* the thread is there */
	bool silent;
	char what[160];
	_Atomic uint64_t done, all;
} progress = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

void progress_silence(void)
{
	progress.silent = true;
}

static void put(const char *text, size_t length)
{
	while (write(STDERR_FILENO, text, length) < 0 && errno == EINTR)
		continue;
}

static void draw(void)
{
	uint64_t done = progress.done, all = progress.all;
	char line[256];
	int length;

	if (all)
		length = snprintf(line, sizeof(line), "\rprofrun: %s: %d %%\033[K", progress.what,
				  (int)(100 * (double)done / (double)all));
	else
		length = snprintf(line, sizeof(line), "\rprofrun: %s ...\033[K", progress.what);
	put(line, (size_t)length);
}

/* Whether the work ended while it waited. */
static bool wait_for_end(int milliseconds)
{
	struct timespec until;
	int code = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += milliseconds % 1000 * 1000000L;
	until.tv_sec += milliseconds / 1000 + until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	while (!progress.ended && code == 0)
		code = pthread_cond_timedwait(&progress.wake, &progress.lock, &until);
	return progress.ended;
}

static void *show(void *unused)
{
	static const char erase[] = "\r\033[K";
	bool drawn = false;

	pthread_mutex_lock(&progress.lock);
	while (!wait_for_end(drawn ? REDRAW_MS : PATIENCE_MS)) {
		draw();
		drawn = true;
	}
	pthread_mutex_unlock(&progress.lock);
	if (drawn)
		put(erase, strlen(erase));
	return unused;
}

/* By a clock that nobody sets. */
static int make_wake(void)
{
	pthread_condattr_t attributes;
	int code = pthread_condattr_init(&attributes);

	if (code != 0)
		return code;
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	code = pthread_cond_init(&progress.wake, &attributes);
	pthread_condattr_destroy(&attributes);
	return code;
}

void progress_begin(const char *format, ...)
{
	va_list arguments;

	progress_end();
	if (progress.silent || !isatty(STDERR_FILENO))
		return;
	va_start(arguments, format);
	vsnprintf(progress.what, sizeof(progress.what), format, arguments);
	va_end(arguments);
	for (char *at = progress.what; *at; at++) {
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	}
	progress.done = progress.all = 0;
	progress.ended = false;
	if (make_wake() != 0)
		return;
	progress.running = pthread_create(&progress.thread, NULL, show, NULL) == 0;
	if (!progress.running)
		pthread_cond_destroy(&progress.wake);
}

void progress_tell(uint64_t done, uint64_t all)
{
	progress.done = done;
	progress.all = all;
}

void progress_end(void)
{
	if (!progress.running)
		return;
	pthread_mutex_lock(&progress.lock);
	progress.ended = true;
	pthread_cond_signal(&progress.wake);
	pthread_mutex_unlock(&progress.lock);
	pthread_join(progress.thread, NULL);
	pthread_cond_destroy(&progress.wake);
	progress.running = false;
}
