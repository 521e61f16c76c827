/* SPDX-License-Identifier: MIT */
/*
 * Ticks from POSIX timers, one in every thread on that thread's own CPU clock, by a real-time
 * signal that belongs to nobody else. Per process, not thread safe against itself unless said
 * otherwise.
 */
#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct arena_raw;

/* Where the handler counts what belongs to no single histogram. */
struct ticker_counts {
	_Atomic uint64_t *ticks;	  /* all */
	_Atomic uint64_t *squares;	  /* of the weights of all */
	_Atomic uint64_t *outside;	  /* in no histogram, nor in the raw table */
	_Atomic uint64_t *blocked;	  /* that a blocked signal delayed; NULL: not told apart */
	const _Atomic uint32_t *counting; /* 0: not now; NULL: always */
	_Atomic uint32_t *raw_used;
	_Atomic uint32_t *raw_ticks;
	const _Atomic uint32_t *epoch; /* of plugins; with .raw */
	struct arena_raw *raw;	       /* ARENA_RAW_COUNT entries by pc; NULL: none */
	struct arena_raw *threads; /* ARENA_THREAD_COUNTS, by thread and pc; NULL: not asked for */
};

/*
 * Chooses the signal (@signal, or with 0 the first from SIGRTMAX-2 downward whose action is
 * default), installs the handler and sets @rate (ticks per second of CPU time, 1 to 10000). Threads
 * tick once they are armed. 0, or -EBUSY when no signal is free. @counts is copied.
 */
int ticker_start(unsigned rate, int signal, const struct ticker_counts *counts);

/* The signal in use; 0: not started. Async-signal-safe. */
int ticker_signal(void);

/* Whether that is the action of a signal that ticks. Async-signal-safe. */
bool ticker_handles(const struct sigaction *action);

/* Handles ticks on the stacks that they interrupt: there are alternate ones too small for any. */
void ticker_leave_stacks(void);

/* Changes to another signal (the program wants ours). 0 or -EBUSY. */
int ticker_move(void);

/*
 * How often a tick made a system call of the calling thread return EINTR. Functions that make the
 * call again compare it before and after.
 */
extern _Thread_local unsigned ticker_interrupted __attribute__((tls_model("initial-exec")));
