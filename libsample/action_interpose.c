/* SPDX-License-Identifier: MIT */
/*
 * The functions by which a program installs signal handlers. One that wants the signal we tick with
 * gets it: ticks move to another signal first.
 */

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "libsample/export.h"
#include "libsample/image.h"
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

EXPORT int sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
	bool hidden = is_hidden(signal);
	int r;

	if (action)
		give_way(signal);
	r = __sigaction(signal, action, old);
	if (r == 0 && old && hidden) {
		memset(old, 0, sizeof(*old));
		old->sa_handler = SIG_DFL;
	}
	return r;
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
