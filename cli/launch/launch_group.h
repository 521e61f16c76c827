/* SPDX-License-Identifier: MIT */
/*
 * Which signals went to the whole process group, and so to the target too: the witness' answers,
 * seen through merging (a standard signal is pending once, however often it is sent) and through
 * the stops and continuations that take each other away.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <sys/types.h>

#include "cli/launch/witness.h"

struct launch_group {
	struct witness *witness;   /* NULL: there is none, the signals' origins are guessed */
	struct witness *retiring;  /* the one before, while both are there; or NULL */
	uint64_t unmatched;	   /* signals taken from the witness that profrun will read yet */
	uint32_t unmatched_by[65]; /* who sent them */
};

/* The caller has blocked the signals that it will ask about. done() takes it also when zeroed. */
void launch_group_init(struct launch_group *group);
void launch_group_done(struct launch_group *group);

/*
 * Starts a witness that lasts beside the first one, and ends the first one: between the two the
 * caller reads every signal that has come.
 */
void launch_group_renew(struct launch_group *group);
void launch_group_retire(struct launch_group *group);

/* Is this process a witness? */
bool launch_group_is_witness(const struct launch_group *group, pid_t pid);

/* Did the group have the signal that profrun has read? Asked once for each that was read. */
bool launch_group_had(struct launch_group *group, const struct signalfd_siginfo *info);

/* Did the group get this signal after profrun alone did, from the same sender? */
bool launch_group_follows(struct launch_group *group, const struct signalfd_siginfo *info);

/* What the group had of these signals matters no more, unless profrun has still to read it. */
void launch_group_settle(struct launch_group *group, uint64_t signals);

/* The signals that sending this one takes away where they are pending. */
uint64_t launch_group_undone_by(uint32_t signal);

/* Has the group been stopped by SIGSTOP? */
bool launch_group_is_stopped(struct launch_group *group);

/* Before profrun stops with the target, and after: see witness_watch(). */
void launch_group_watch(struct launch_group *group, pid_t pid);
