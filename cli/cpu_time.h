/* SPDX-License-Identifier: MIT */
/* CPU time in seconds. Async-signal-safe. */
#pragma once

#include <sys/time.h>
#include <time.h>

/* As getrusage(2) and wait4(2) tell it. */
static inline double cpu_time_seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

/* What this process has used. */
static inline double cpu_time_own(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}
