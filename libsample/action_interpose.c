/* SPDX-License-Identifier: MIT */
/*
 * The functions by which a program installs signal handlers. One that wants the signal we tick with
 * gets it: ticks move to another signal first.
 */

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>

#include "libsample/export.h"
#include "libsample/image.h"
#include "libsample/sets.h"
#include "libsample/sys.h"
#include "libsample/ticker.h"
#include "libsample/ticks_libc.h"

/* The C library's functions under names that nobody interposes. */
int __sigaction(int signal, const struct sigaction *action, struct sigaction *old);

static void give_way(int signal)
{
	int r;

	if (signal == SIGPROF)
		ticks_libc_give_way();
	if (signal == 0 || signal != ticker_signal())
		return;
	r = ticker_move();
	if (r < 0)
		image_record(ARENA_REASON_SIGNAL, r);
}

static int is_hidden(int signal)
{
	return signal != 0 && signal == ticker_signal();
}

/* For which signals the program's handler blocks ours, as it believes: a bit for each. */
static _Atomic uint64_t blocking_handlers;

/*
 * A handler that blocks everything and runs long would collect ticks that then land on whatever it
 * returns to: ours stays deliverable in it.
 */
static struct sigaction without_ours(const struct sigaction *action)
{
	struct sigaction result = *action;

	set_from_bits(&result.sa_mask, set_bits(&action->sa_mask) & ~set_ours(ticker_signal()));
	return result;
}

static void remember(int signal, bool blocks)
{
	if (blocks)
		atomic_fetch_or(&blocking_handlers, SET_BIT(signal));
	else
		atomic_fetch_and(&blocking_handlers, ~SET_BIT(signal));
}

/* What the program set: nothing for our signal, its own mask for the others. */
static void show(bool hidden, bool blocked, struct sigaction *old)
{
	if (hidden) {
		memset(old, 0, sizeof(*old));
		old->sa_handler = SIG_DFL;
	}
	if (blocked)
		set_from_bits(&old->sa_mask, set_bits(&old->sa_mask) | set_ours(ticker_signal()));
}

EXPORT int sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
	bool valid = signal > 0 && signal <= SIGRTMAX, hidden = is_hidden(signal);
	bool blocked = valid && (atomic_load(&blocking_handlers) & SET_BIT(signal));
	struct sigaction theirs;
	int r;

	if (!action) {
		r = __sigaction(signal, NULL, old);
	} else {
		give_way(signal);
		theirs = without_ours(action);
		r = __sigaction(signal, &theirs, old);
	}
	if (r < 0)
		return r;
	if (old)
		show(hidden, blocked, old);
	if (action && valid)
		remember(signal, set_bits(&action->sa_mask) & set_ours(ticker_signal()));
	return 0;
}

EXPORT sighandler_t signal(int signal, sighandler_t handler)
{
	bool hidden = is_hidden(signal);
	sighandler_t old;

	give_way(signal);
	old = ssignal(signal, handler); /* the same function of the C library */
	return hidden && old != SIG_ERR ? SIG_DFL : old;
}

EXPORT int setitimer(__itimer_which_t which, const struct itimerval *new_value,
		     struct itimerval *old_value)
{
	int r;

	if (which == ITIMER_PROF)
		ticks_libc_give_way();
	r = (int)sys_call(SYS_setitimer, which, new_value, old_value);
	if (r == 0)
		return 0;
	errno = -r;
	return -1;
}
