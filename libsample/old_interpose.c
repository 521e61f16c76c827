/* SPDX-License-Identifier: MIT */
/*
 * System V's functions for signals, which the C library makes without a call of sigaction() or
 * sigprocmask() that could be seen; a program in strict C gets the first of them as signal(). Here
 * they are made of ours, which know about the signal that ticks.
 */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "libsample/action.h"
#include "libsample/export.h"
#include "libsample/next.h"

static sighandler_t install(int signal, sighandler_t handler, int flags)
{
	const struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	struct sigaction old;

	return sigaction(signal, &action, &old) < 0 ? SIG_ERR : old.sa_handler;
}

EXPORT sighandler_t __sysv_signal(int signal, sighandler_t handler)
{
	return install(signal, handler, (int)SA_RESETHAND | SA_NODEFER | SA_INTERRUPT);
}

EXPORT sighandler_t sysv_signal(int signal, sighandler_t handler)
{
	return __sysv_signal(signal, handler);
}

sighandler_t bsd_signal(int number, sighandler_t handler);

EXPORT sighandler_t bsd_signal(int number, sighandler_t handler)
{
	return signal(number, handler);
}

static int change_mask(int how, int signal, sigset_t *ret_old)
{
	sigset_t set;

	sigemptyset(&set);
	return sigaddset(&set, signal) < 0 ? -1 : sigprocmask(how, &set, ret_old);
}

EXPORT int sighold(int signal)
{
	return change_mask(SIG_BLOCK, signal, NULL);
}

EXPORT int sigrelse(int signal)
{
	return change_mask(SIG_UNBLOCK, signal, NULL);
}

EXPORT int sigignore(int signal)
{
	return install(signal, SIG_IGN, 0) == SIG_ERR ? -1 : 0;
}

static sighandler_t current(int signal)
{
	struct sigaction action;

	return sigaction(signal, NULL, &action) < 0 ? SIG_ERR : action.sa_handler;
}

EXPORT sighandler_t sigset(int signal, sighandler_t handler)
{
	bool holds = handler == SIG_HOLD;
	sighandler_t old = holds ? current(signal) : install(signal, handler, 0);
	sigset_t held;

	if (old == SIG_ERR || change_mask(holds ? SIG_BLOCK : SIG_UNBLOCK, signal, &held) < 0)
		return SIG_ERR;
	return sigismember(&held, signal) ? SIG_HOLD : old;
}

/* It also says what a later signal() does, which only the C library can be told. */
EXPORT int siginterrupt(int signal, int interrupts)
{
	int (*real)(int, int);

	*(void **)&real = next_find("siginterrupt");
	return action_make_room(signal) ? real(signal, interrupts) : 0;
}
