/* SPDX-License-Identifier: MIT */
/*
 * The functions by which a program installs signal handlers. One that wants the signal we tick with
 * gets it: ticks move to another signal first, or share it when the program takes all.
 */

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>

#include "libsample/action.h"
#include "libsample/export.h"
#include "libsample/guest.h"
#include "libsample/image.h"
#include "libsample/mask.h"
#include "libsample/next.h"
#include "libsample/owner.h"
#include "libsample/sets.h"
#include "libsample/sys.h"
#include "libsample/ticker.h"
#include "libsample/ticks_libc.h"

/* Whether @signal is the one we tick with, which the program thinks is its own. */
static bool is_ours(int signal)
{
	return signal != 0 && signal == ticker_signal();
}

/* What no handler can block: the kernel leaves them out of every mask. */
#define NEVER_BLOCKED (SET_BIT(SIGKILL) | SET_BIT(SIGSTOP))

/* The masks of the program's handlers as it set them, where ours was taken out. */
static _Atomic uint64_t believed_masks[65];

static _Atomic bool sparing; /* alternate stacks */

static bool is_handler(const struct sigaction *action)
{
	return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

/*
 * A handler that blocks everything and runs long would collect ticks that then land on whatever it
 * returns to: ours stays deliverable in it, unless there may be no stack for it.
 */
static int install(int signal, const struct sigaction *action, struct sigaction *old)
{
	const uint64_t ours = set_ours(ticker_signal());
	struct sigaction theirs = *action;
	uint64_t mask = set_bits(&action->sa_mask) & ~ours;

	if (atomic_load(&sparing) && is_handler(action) && action->sa_flags & SA_ONSTACK)
		mask |= ours;
	set_from_bits(&theirs.sa_mask, mask);
	return owner_sigaction(signal, &theirs, old);
}

/*
 * The mask of an action as the program set it, where the real one is without @hidden. What is
 * remembered may be of another action: a child of vfork(2) sets its own in the same memory.
 */
static uint64_t believed_mask(int signal, const struct sigaction *action, uint64_t hidden)
{
	uint64_t real = set_bits(&action->sa_mask) & ~hidden;
	uint64_t believed = atomic_load(&believed_masks[signal]);

	return (believed & ~hidden) == real ? believed : mask_guess(real);
}

/* What our signal has to be in the handlers that stand has changed; it was @before. */
static void install_again(int before)
{
	const uint64_t hidden = set_ours(ticker_signal()) | set_ours(before);
	struct sigaction action;
	int error = errno; /* the C library keeps two signals for itself */

	for (int signal = 1; signal <= SIGRTMAX; signal++) {
		if (is_ours(signal) || owner_sigaction(signal, NULL, &action) < 0 ||
		    !is_handler(&action))
			continue;
		set_from_bits(&action.sa_mask, believed_mask(signal, &action, hidden));
		install(signal, &action, NULL);
	}
	errno = error;
}

void action_spare_stacks(void)
{
	if (!atomic_exchange(&sparing, true) && ticker_signal())
		install_again(0);
}

static int change(int signal, const struct sigaction *action, struct sigaction *ret_old)
{
	struct sigaction old;
	int r = action ? install(signal, action, &old) : owner_sigaction(signal, NULL, &old);

	if (r < 0)
		return r;
	set_from_bits(&old.sa_mask, believed_mask(signal, &old, set_ours(ticker_signal())));
	if (action)
		atomic_store(&believed_masks[signal], set_bits(&action->sa_mask) & ~NEVER_BLOCKED);
	if (ret_old)
		*ret_old = old;
	return 0;
}

/*
 * In a process that has no ticks of its own yet, or never gets any: the child of a vfork(2), whose
 * actions are its own, but not the memory. There is nothing to save.
 */
static int change_alone(int signal, const struct sigaction *action, struct sigaction *ret_old)
{
	struct sigaction old;
	int r = owner_sigaction(signal, action, &old);

	if (r < 0)
		return r;
	if (ticker_handles(&old))
		guest_get(&old);
	if (ret_old)
		*ret_old = old;
	return 0;
}

/* What the program had set for the signal that ticks have taken last. */
static struct sigaction taken;

void owner_signal_taken(const struct sigaction *action)
{
	taken = *action;
}

/*
 * The program's action becomes that of @signal again. A default one as it was: the C library would
 * add to its flags, which can be read back.
 */
static void give_back(int signal, const struct sigaction *action)
{
	const struct {
		sighandler_t handler;
		unsigned long flags;
		void *restorer;
		uint64_t mask;
	} unused = {.handler = SIG_DFL,
		    .flags = (unsigned)action->sa_flags,
		    .mask = set_bits(&action->sa_mask)};

	atomic_store(&believed_masks[signal], set_bits(&action->sa_mask));
	if (action->sa_handler != SIG_DFL)
		owner_sigaction(signal, action, NULL);
	else
		sys_call(SYS_rt_sigaction, signal, &unused, 0, sizeof(unused.mask));
}

/* The program wants our signal: ticks move to another one. False: there is no other. */
static bool move_away(int signal)
{
	uint64_t mask = mask_thread();
	struct sigaction had;

	guest_get(&had);
	if (ticker_move() < 0)
		return false;
	image_signal_moved(ticker_signal());
	mask_moved(mask);
	give_back(signal, &had);
	guest_set(&taken);
	install_again(signal);
	return true;
}

bool action_make_room(int signal)
{
	return !is_ours(signal) || !image_is_own() || move_away(signal);
}

/* What the C library adds to the flags of every handler, and shows when they are read back. */
#if defined(__x86_64__)
#define RESTORER_FLAG 0x04000000
#else
#define RESTORER_FLAG 0
#endif

/* An action for the signal that ticks stay on. */
static void share(const struct sigaction *action, struct sigaction *old)
{
	struct sigaction had, guest;

	guest_get(&had);
	if (action) {
		guest = *action;
		guest.sa_flags |= RESTORER_FLAG;
		set_from_bits(&guest.sa_mask, set_bits(&action->sa_mask) & ~NEVER_BLOCKED);
		guest_set(&guest);
	}
	if (old)
		*old = had;
}

EXPORT int sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
	if (signal <= 0 || signal > SIGRTMAX)
		return owner_sigaction(signal, action, old);
	if (signal == SIGPROF && action)
		ticks_libc_give_way();
	if (is_ours(signal) && !image_is_own())
		return change_alone(signal, action, old);
	/* "Default" is what the program believes it is anyway. */
	if (is_ours(signal) && (!action || action->sa_handler == SIG_DFL || !move_away(signal))) {
		share(action, old);
		return 0;
	}
	return change(signal, action, old);
}

/* The C library's own; its handlers block the signal that they are for. */
static sighandler_t install_simple(int signal, sighandler_t handler)
{
	static sighandler_t (*real)(int, sighandler_t);
	sighandler_t old;

	if (!real)
		*(void **)&real = next_find("signal");
	old = real(signal, handler);
	if (old != SIG_ERR)
		atomic_store(&believed_masks[signal], SET_BIT(signal) & ~NEVER_BLOCKED);
	return old;
}

EXPORT sighandler_t signal(int signal, sighandler_t handler)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
	bool alone = is_ours(signal) && !image_is_own();

	if (signal == SIGPROF)
		ticks_libc_give_way();
	if (!is_ours(signal) || (!alone && handler != SIG_DFL && move_away(signal)))
		return install_simple(signal, handler);
	sigaddset(&action.sa_mask, signal);
	if (alone)
		return change_alone(signal, &action, &old) < 0 ? SIG_ERR : old.sa_handler;
	share(&action, &old);
	return old.sa_handler;
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
