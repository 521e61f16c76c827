/* SPDX-License-Identifier: MIT */
/* Time since some moment, by a clock that nobody sets: CLOCK_MONOTONIC. Async-signal-safe. */
#pragma once

#include <stdint.h>
#include <time.h>

static inline uint64_t monotonic_nanoseconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline double monotonic_seconds(void)
{
	return (double)monotonic_nanoseconds() * 1e-9;
}
