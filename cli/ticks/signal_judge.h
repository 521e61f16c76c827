/* SPDX-License-Identifier: MIT */
/*
 * Was a thread on a CPU when profrun looked? A probe that is answered at once says nothing on a CPU
 * that profrun shares with the program: when profrun sleeps again, a thread that had been waiting
 * may be next. The kernel's accounts of the thread tell: how often it was put on a CPU, and how
 * long it waited for that.
 *
 * A thread that has not been put on a CPU since was on one all the time. One that has, once, lost
 * its CPU as long before its answer as it waited: when profrun got it, or before. Then its wait is
 * too long, by what it had waited already. Waits are as long as time slices, so there are two
 * kinds, far apart; where the gap is, is found on the way.
 *
 * Where profrun had to wait for its CPU, it gets it where others give it up, and that is no chance:
 * at a system call, or in the scheduler's tick. Of that only threads on other CPUs are hits.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define SIGNAL_WAITS 40 /* kinds of waits, by their length */

/* Of one thread, nanoseconds, as in /proc/PID/schedstat. */
struct signal_account {
	uint64_t ran, waited;
	uint64_t turns; /* how often it was put on a CPU */
};

struct signal_seen {
	struct signal_account before, after; /* the probe was sent, and its answer was seen */
	uint64_t looked;   /* when profrun got its CPU to look; CLOCK_MONOTONIC, nanoseconds */
	uint64_t answered; /* likewise */
	bool late; /* profrun did not get its CPU when it was to look: others had it, or itself */
};

enum signal_verdict {
	SIGNAL_HIT,    /* it was on a CPU */
	SIGNAL_MISS,   /* it waited for one */
	SIGNAL_UNSURE, /* it has waited more than once since */
	SIGNAL_VERDICTS,
};

struct signal_judge {
	uint64_t waits[SIGNAL_WAITS]; /* how many were too long by 2^index nanoseconds */
	uint64_t count;
	uint64_t limit; /* nanoseconds: waits that are too long by less are hits */
};

void signal_judge_init(struct signal_judge *judge);
enum signal_verdict signal_judge(struct signal_judge *judge, const struct signal_seen *seen);

/* How many were so near to the limit that they may be of the other kind. */
uint64_t signal_judge_near(const struct signal_judge *judge);
