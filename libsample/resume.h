/* SPDX-License-Identifier: MIT */
/*
 * Calls that the kernel does not restart after a signal handler, whatever SA_RESTART says
 * (signal(7)). Queueing a tick into each shows which they are. The interposed functions make the
 * call again with the time that is left when only a tick interrupted it, so that the program sees
 * neither an EINTR nor another length of sleep. Ticks of a timer do interrupt before Linux 5.9;
 * there, a signal of the program that comes between such a tick and the second call is waited past.
 * Ticks that profrun sends would do so anywhere: they are held back instead.
 */
#pragma once

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <time.h>

#include "libsample/probe.h"
#include "libsample/ticker.h"

/* Finds the C library's functions; to be called early, when no lock of the dynamic linker is held.
 */
void resume_resolve_poll(void);
void resume_resolve_sleep(void);
void resume_resolve_wait(void);

/*
 * Evaluates @call until it does not return -1 with EINTR because of a tick; @again is evaluated
 * before each further time.
 */
#define RESUME(call, again)                                                                   \
	({                                                                                    \
		bool held_ = probe_hold(__builtin_return_address(0));                         \
		__typeof__(call) result_;                                                     \
		for (unsigned before_ = ticker_interrupted;; before_ = ticker_interrupted) {  \
			result_ = (call);                                                     \
			if (result_ != -1 || errno != EINTR || before_ == ticker_interrupted) \
				break;                                                        \
			again;                                                                \
		}                                                                             \
		probe_release(held_);                                                         \
		result_;                                                                      \
	})

#define RESUME_NANOSECONDS 1000000000ll

/* Nanoseconds of the clock that timeouts are measured by. */
long long resume_now(void);

/* What is left until @end, never negative. */
static inline long long resume_left(long long end)
{
	long long left = end - resume_now();

	return left > 0 ? left : 0;
}

/* The time at which a wait of @timeout ends; one that is longer than can be counted never does. */
static inline long long resume_end(const struct timespec *timeout)
{
	long long nanoseconds, end;

	if (__builtin_mul_overflow(timeout->tv_sec, RESUME_NANOSECONDS, &nanoseconds) ||
	    __builtin_add_overflow(nanoseconds, timeout->tv_nsec, &nanoseconds) ||
	    __builtin_add_overflow(nanoseconds, resume_now(), &end))
		return LLONG_MAX;
	return end;
}

static inline struct timespec resume_timespec(long long nanoseconds)
{
	return (struct timespec){.tv_sec = nanoseconds / RESUME_NANOSECONDS,
				 .tv_nsec = nanoseconds % RESUME_NANOSECONDS};
}
