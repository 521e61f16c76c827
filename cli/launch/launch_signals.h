/* SPDX-License-Identifier: MIT */
/*
 * The signals that profrun gets while the target runs: which of them the target had already,
 * because they went to the whole process group, and which it has to be given.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <sys/types.h>

#include "cli/launch/launch_group.h"

#define LAUNCH_SIGNALS_HELD 16

/* A signal to profrun alone, before it is certain that the group does not get it too. */
struct launch_signal {
	struct signalfd_siginfo info;
	int64_t until_ms; /* when it is passed on */
};

struct launch_signals {
	sigset_t caught;	      /* what comes by .fd and is blocked meanwhile */
	sigset_t start_mask;	      /* what profrun was started with, and the target is */
	struct sigaction start_child; /* the same for SIGCHLD */
	int fd;			      /* a signalfd */
	struct launch_group group;
	int64_t renew_ms; /* when the witness is replaced; 0: it has been */
	struct launch_signal held[LAUNCH_SIGNALS_HELD];
	size_t held_count;
};

/* Blocks the signals and starts the witness. 0 or a negative errno; done() in both cases. */
int launch_signals_init(struct launch_signals *signals);

/* Gives the process back the signal state that it was started with. */
void launch_signals_done(struct launch_signals *signals);

/* In the child before exec: the state that profrun was started with. Async-signal-safe. */
void launch_signals_restore(const struct launch_signals *signals);

/*
 * What came before the target could be reached by a signal to the group goes to it, once: @pid
 * has not executed anything yet and has all of them blocked, so that doubles merge.
 */
void launch_signals_catch_up(struct launch_signals *signals, pid_t pid);

/* Reads what came and passes on to @pid what was for profrun alone (0: to nobody). */
void launch_signals_read(struct launch_signals *signals, pid_t pid);

/* Passes on what was held long enough. Returns the milliseconds until the next, or -1. */
int launch_signals_release(struct launch_signals *signals, pid_t pid);

/*
 * When the target has run for a moment, a witness that lasts takes over. Returns the milliseconds
 * until then, or -1.
 */
int launch_signals_renew(struct launch_signals *signals, pid_t pid);

/* Stops profrun by the signal that stopped @pid; returns when something continued profrun. */
void launch_signals_stop(struct launch_signals *signals, pid_t pid, int signal);
