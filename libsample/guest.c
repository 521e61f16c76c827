/* SPDX-License-Identifier: MIT */
/*
 * The program's handler under ours, with the mask that the kernel would have given it. The action
 * is read by handlers while it may be changed: the last complete one of two is published.
 */

#include "libsample/guest.h"

#include <stdatomic.h>
#include <stddef.h>
#include <ucontext.h>

#include "libsample/owner.h"
#include "libsample/sets.h"
#include "libsample/sys.h"

static struct sigaction actions[2];
static _Atomic unsigned current;

void guest_get(struct sigaction *ret_action)
{
	*ret_action = actions[atomic_load(&current) % 2];
}

void guest_set(const struct sigaction *action)
{
	unsigned next = atomic_load(&current) + 1;

	actions[next % 2] = *action;
	atomic_store(&current, next);
}

/* The default action of a real-time signal is to end the process. */
static void terminate(int signal)
{
	const struct sigaction action = {.sa_handler = SIG_DFL};
	const uint64_t only = SET_BIT(signal);

	owner_sigaction(signal, &action, NULL);
	sys_call(SYS_tgkill, sys_call(SYS_getpid), sys_call(SYS_gettid), signal);
	sys_call(SYS_rt_sigprocmask, SIG_UNBLOCK, &only, 0, sizeof(only));
}

static void call(const struct sigaction *action, int signal, siginfo_t *info, ucontext_t *context)
{
	uint64_t mask = set_bits(&context->uc_sigmask) | set_bits(&action->sa_mask);

	if (!(action->sa_flags & SA_NODEFER))
		mask |= SET_BIT(signal);
	sys_call(SYS_rt_sigprocmask, SIG_SETMASK, &mask, 0, sizeof(mask));
	/* The kernel sets back the mask of the interrupted code when our handler returns. */
	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(signal, info, context);
	else
		action->sa_handler(signal);
}

void guest_deliver(int signal, siginfo_t *info, void *context)
{
	static const struct sigaction none;
	struct sigaction action;

	guest_get(&action);
	if (action.sa_handler == SIG_IGN)
		return;
	if (action.sa_handler == SIG_DFL) {
		terminate(signal);
		return;
	}
	if (action.sa_flags & (int)SA_RESETHAND)
		guest_set(&none);
	call(&action, signal, info, context);
}
