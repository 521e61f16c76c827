/* SPDX-License-Identifier: MIT */
/*
 * A signal to the group is pending at the witness before it is at profrun, with the same sender.
 * While profrun reads its own and then asks, another may come; what follows tells the cases apart.
 */

#include "cli/launch/launch_group.h"

#include <signal.h>

#define STOP_SIGNALS (WITNESS_BIT(SIGTSTP) | WITNESS_BIT(SIGTTIN) | WITNESS_BIT(SIGTTOU))

void launch_group_init(struct launch_group *group)
{
	*group = (struct launch_group){0};
	if (witness_start(false, &group->witness) < 0)
		group->witness = NULL;
}

void launch_group_retire(struct launch_group *group)
{
	witness_stop(group->retiring);
	group->retiring = NULL;
}

void launch_group_done(struct launch_group *group)
{
	launch_group_retire(group);
	witness_stop(group->witness);
	group->witness = NULL;
}

void launch_group_renew(struct launch_group *group)
{
	struct witness *lasting;

	if (!group->witness || witness_start(true, &lasting) < 0)
		return;
	group->retiring = group->witness;
	group->witness = lasting;
}

bool launch_group_is_witness(const struct launch_group *group, pid_t pid)
{
	return (group->witness && witness_pid(group->witness) == pid) ||
	       (group->retiring && witness_pid(group->retiring) == pid);
}

/*
 * What came when both were there is with both. What came while the kernel made the newer one it has
 * without a sender (fork collects it, and hands it to the child): the older one knows.
 */
static bool take(struct launch_group *group, uint32_t signal, uint32_t *ret_sender)
{
	pid_t sender = 0, newest = 0;
	int old = 0, taken = 0;

	if (group->retiring)
		old = witness_take(group->retiring, (int)signal, &sender);
	if (group->witness)
		taken = witness_take(group->witness, (int)signal, &newest);
	if (taken < 0)
		launch_group_done(group);
	if (old <= 0 && taken <= 0)
		return false;
	*ret_sender = (uint32_t)(old > 0 ? sender : newest);
	return true;
}

/* Those of the signals that are pending in profrun. */
static uint64_t pending_here(uint64_t signals)
{
	sigset_t pending;

	sigpending(&pending);
	for (int signal = 1; signal < 65; signal++)
		if ((signals & WITNESS_BIT(signal)) && sigismember(&pending, signal) != 1)
			signals &= ~WITNESS_BIT(signal);
	return signals;
}

static uint64_t pending_at_witness(struct launch_group *group)
{
	uint64_t old = 0, pending = 0;

	if (group->retiring)
		witness_pending(group->retiring, &old);
	if (group->witness && witness_pending(group->witness, &pending) < 0)
		launch_group_done(group);
	return old | pending;
}

/* What was taken from the witness is profrun's next one of this kind, if that is there already. */
static void keep(struct launch_group *group, uint32_t signal, uint32_t sender)
{
	if (!pending_here(WITNESS_BIT(signal)))
		return;
	group->unmatched |= WITNESS_BIT(signal);
	group->unmatched_by[signal] = sender;
}

static bool take_kept(struct launch_group *group, const struct signalfd_siginfo *info)
{
	uint64_t bit = WITNESS_BIT(info->ssi_signo);
	bool kept =
		(group->unmatched & bit) && group->unmatched_by[info->ssi_signo] == info->ssi_pid;

	group->unmatched &= ~bit;
	return kept;
}

/*
 * A signal that came to the group after profrun had read this one has taken this one away from
 * the witness. It is pending at both, since profrun has read nothing after.
 */
static bool is_undone(struct launch_group *group, uint32_t signal)
{
	uint64_t undoing = pending_here(launch_group_undone_by(signal));

	return undoing && (pending_at_witness(group) & undoing);
}

bool launch_group_had(struct launch_group *group, const struct signalfd_siginfo *info)
{
	bool kept = take_kept(group, info);
	uint32_t sender;

	if (take(group, info->ssi_signo, &sender)) {
		/* Sent again meanwhile it has merged here or there; then this counts for both. */
		if ((int)info->ssi_signo < SIGRTMIN)
			keep(group, info->ssi_signo, sender);
		return kept || sender == info->ssi_pid;
	}
	if (!group->witness)
		return info->ssi_code == SI_KERNEL;
	return kept || is_undone(group, info->ssi_signo);
}

bool launch_group_follows(struct launch_group *group, const struct signalfd_siginfo *info)
{
	uint32_t sender;

	if (!take(group, info->ssi_signo, &sender))
		return false;
	keep(group, info->ssi_signo, sender);
	return sender == info->ssi_pid;
}

void launch_group_settle(struct launch_group *group, uint64_t signals)
{
	uint64_t there = signals ? pending_at_witness(group) & signals : 0;
	uint32_t sender;

	for (uint32_t signal = 1; signal < 65; signal++)
		if ((there & WITNESS_BIT(signal)) && take(group, signal, &sender))
			keep(group, signal, sender);
}

uint64_t launch_group_undone_by(uint32_t signal)
{
	if (signal == SIGCONT)
		return STOP_SIGNALS;
	return WITNESS_BIT(signal) & STOP_SIGNALS ? WITNESS_BIT(SIGCONT) : 0;
}

bool launch_group_is_stopped(struct launch_group *group)
{
	return group->witness && witness_is_stopped(group->witness);
}

void launch_group_watch(struct launch_group *group, pid_t pid)
{
	if (group->witness)
		witness_watch(group->witness, pid);
}
