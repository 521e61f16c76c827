/* SPDX-License-Identifier: MIT */
/*
 * A process beside profrun, in its process group, whose only work is to have all signals blocked:
 * what is pending there was sent to the whole group and has reached the target without profrun's
 * help; what is not was sent to profrun alone. The sender cannot tell the two apart: a script's
 * `kill $!` and the terminal's Ctrl-C come from the same session, often from the same group.
 *
 * The kernel signals a group from its youngest member to its oldest, so the witness, made after
 * profrun, has a group's signal before profrun has.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct witness;

#define WITNESS_BIT(signal) (UINT64_C(1) << ((signal)-1))

/*
 * The caller has blocked every signal that it will ask about. One that is not @lasting is cheap,
 * but has profrun's command line: a signal to all processes that are found by this looks like one
 * to the group. 0 or a negative errno.
 */
int witness_start(bool lasting, struct witness **ret_witness);

/* Ends and reaps it; NULL is fine. */
void witness_stop(struct witness *witness);

pid_t witness_pid(const struct witness *witness);

/*
 * Takes one instance of the signal if the group had it: 1 and *ret_sender (0: the kernel), 0 when
 * it had not, or a negative errno when the witness was killed.
 */
int witness_take(struct witness *witness, int signal, pid_t *ret_sender);

/* What the group had and nobody has taken, as a set of WITNESS_BIT(); 0 or a negative errno. */
int witness_pending(struct witness *witness, uint64_t *ret_signals);

/* Did a SIGSTOP to the group, which cannot be blocked, stop it? */
bool witness_is_stopped(struct witness *witness);

/*
 * Lets the witness send SIGCONT to profrun as soon as process @pid is found not to be stopped: a
 * target that somebody continues behind profrun's back must not wait for a stopped profrun for
 * ever. 0 ends the watch.
 */
void witness_watch(struct witness *witness, pid_t pid);
