/* SPDX-License-Identifier: MIT */
/*
 * The functions by which a program changes its signal mask. Our signal is taken out of what it
 * blocks, or its time in that state would be lost; what it reads back is what it set.
 */

#include <errno.h>
#include <signal.h>

#include "libsample/export.h"
#include "libsample/mask.h"
#include "libsample/sets.h"
#include "libsample/sys.h"
#include "libsample/ticker.h"

/* What is never in a mask. */
#define NEVER_BLOCKED (SET_BIT(SIGKILL) | SET_BIT(SIGSTOP) | SET_LIBRARY)

static uint64_t combine(int how, uint64_t old, uint64_t set)
{
	if (how == SIG_SETMASK)
		return set;
	return how == SIG_BLOCK ? old | set : old & ~set;
}

static int change(int how, const sigset_t *set, sigset_t *old_set)
{
	uint64_t ours = set_ours(ticker_signal());
	uint64_t wanted = set ? set_bits(set) & ~NEVER_BLOCKED : 0, old = 0;
	/* Ours is never blocked, and never unblocked by the program: it is not there for it. */
	uint64_t real = wanted & ~ours;
	int r = (int)sys_call(SYS_rt_sigprocmask, how, set ? &real : NULL, &old, sizeof(old));

	if (r < 0)
		return r;
	old = mask_believed(old);
	if (set)
		mask_note(combine(how, old, wanted));
	if (old_set)
		set_from_bits(old_set, old);
	return 0;
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old_set)
{
	return -change(how, set, old_set);
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old_set)
{
	int r = change(how, set, old_set);

	if (r == 0)
		return 0;
	errno = -r;
	return -1;
}
