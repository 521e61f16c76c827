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

/* The C library keeps two signals for itself and takes them out of every set (nptl: SIGCANCEL,
 * SIGSETXID). */
#define LIBRARY_BITS (SET_BIT(32) | SET_BIT(33))

/* What the calling thread believes of our signal after the change. */
static bool believe(int how, uint64_t set, uint64_t ours)
{
	if (how == SIG_SETMASK)
		return (set & ours) != 0;
	if (set & ours)
		return how == SIG_BLOCK;
	return mask_believed;
}

static int change(int how, const sigset_t *set, sigset_t *old_set)
{
	uint64_t ours = set_ours(ticker_signal());
	uint64_t wanted = 0, old = 0;
	bool believed = mask_believed;
	int r;

	if (set) {
		wanted = set_bits(set) & ~LIBRARY_BITS;
		believed = believe(how, wanted, ours);
		/* Never blocked, and never unblocked by the program: it is not there for it. */
		wanted &= ~ours;
	}
	r = (int)sys_call(SYS_rt_sigprocmask, how, set ? &wanted : NULL, &old, sizeof(old));
	if (r < 0)
		return r;
	if (old_set) {
		old = (old & ~ours) | (mask_believed ? ours : 0);
		set_from_bits(old_set, old);
	}
	mask_believed = believed;
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
