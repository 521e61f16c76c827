/* SPDX-License-Identifier: MIT */
/*
 * The functions that take signals out of the queue: a program that waits for all of them must not
 * be given ours.
 */

#include <signal.h>
#include <sys/signalfd.h>
#include <time.h>

#include "libsample/export.h"
#include "libsample/next.h"
#include "libsample/resume.h"
#include "libsample/sets.h"
#include "libsample/ticker.h"
#include "libsample/wait_interpose.h"

static struct {
	int (*sigwait)(const sigset_t *, int *);
	int (*sigwaitinfo)(const sigset_t *, siginfo_t *);
	int (*sigtimedwait)(const sigset_t *, siginfo_t *, const struct timespec *);
	int (*signalfd)(int, const sigset_t *, int);
} real;

void wait_resolve(void)
{
	*(void **)&real.sigwait = next_find("sigwait");
	*(void **)&real.sigwaitinfo = next_find("sigwaitinfo");
	*(void **)&real.sigtimedwait = next_find("sigtimedwait");
	*(void **)&real.signalfd = next_find("signalfd");
}

static sigset_t without_ours(const sigset_t *set)
{
	sigset_t result = *set;

	/* A constructor that ran before ours may have come here first. */
	if (!real.sigwait)
		wait_resolve();
	set_from_bits(&result, set_bits(set) & ~set_ours(ticker_signal()));
	return result;
}

EXPORT int sigwait(const sigset_t *set, int *signal)
{
	sigset_t theirs = without_ours(set);

	return real.sigwait(&theirs, signal);
}

EXPORT int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	sigset_t theirs = without_ours(set);

	return RESUME(real.sigwaitinfo(&theirs, info), );
}

EXPORT int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	sigset_t theirs = without_ours(set);
	long long end = timeout ? resume_end(timeout) : 0;
	struct timespec left;

	return RESUME(real.sigtimedwait(&theirs, info, timeout),
		      left = resume_timespec(timeout ? resume_left(end) : 0);
		      timeout = timeout ? &left : NULL);
}

EXPORT int signalfd(int fd, const sigset_t *set, int flags)
{
	sigset_t theirs = without_ours(set);

	return real.signalfd(fd, &theirs, flags);
}
