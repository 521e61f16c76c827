/* SPDX-License-Identifier: MIT */
/* Sleeping: see resume.h. */

#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "libsample/export.h"
#include "libsample/next.h"
#include "libsample/resume.h"

static struct {
	int (*clock_gettime)(clockid_t, struct timespec *);
	int (*nanosleep)(const struct timespec *, struct timespec *);
	int (*clock_nanosleep)(clockid_t, int, const struct timespec *, struct timespec *);
} real;

void resume_resolve_sleep(void)
{
	*(void **)&real.clock_gettime = next_find("clock_gettime");
	*(void **)&real.nanosleep = next_find("nanosleep");
	*(void **)&real.clock_nanosleep = next_find("clock_nanosleep");
}

/* By the C library, which need not enter the kernel: a filter may know no such call. */
long long resume_now(void)
{
	struct timespec now;

	if (!real.nanosleep)
		resume_resolve_sleep();
	real.clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * RESUME_NANOSECONDS + now.tv_nsec;
}

EXPORT int nanosleep(const struct timespec *time, struct timespec *ret_left)
{
	struct timespec left, again;
	int r;

	if (!real.nanosleep)
		resume_resolve_sleep();
	r = RESUME(real.nanosleep(time, &left), again = left; time = &again);
	if (r < 0 && errno == EINTR && ret_left)
		*ret_left = left;
	return r;
}

/* Returns the error instead of setting errno. */
EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
			   struct timespec *ret_left)
{
	struct timespec left = {0}, again;
	bool held = probe_hold(__builtin_return_address(0));
	unsigned before;
	int r;

	if (!real.clock_nanosleep)
		resume_resolve_sleep();
	for (;;) {
		before = ticker_interrupted;
		r = real.clock_nanosleep(clock, flags, time, &left);
		if (r != EINTR || before == ticker_interrupted)
			break;
		if (!(flags & TIMER_ABSTIME)) {
			again = left;
			time = &again;
		}
	}
	probe_release(held);
	if (r == EINTR && ret_left && !(flags & TIMER_ABSTIME))
		*ret_left = left;
	return r;
}

EXPORT int usleep(useconds_t microseconds)
{
	const struct timespec time = resume_timespec(microseconds * 1000ll);

	return nanosleep(&time, NULL);
}

/* The seconds that are left when a handler of the program's ends the sleep; errno stays. */
EXPORT unsigned int sleep(unsigned int seconds)
{
	struct timespec time = {.tv_sec = seconds};
	int error = errno;

	if (nanosleep(&time, &time) == 0)
		time.tv_sec = 0;
	errno = error;
	return (unsigned int)time.tv_sec;
}
