/* SPDX-License-Identifier: MIT */
/* What the source "signal" keeps: of signal_ticks.c, which sends, and signal_answers.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "cli/ticks/signal_judge.h"
#include "cli/ticks/signal_ticks.h"

#define NANOSECONDS 1000000000u

/* To get a CPU from a program takes less, to be given it more. Nanoseconds. */
#define PROMPT UINT64_C(200000)

struct signal_ticks {
	struct signal_ticks_settings settings;
	int timer;
	uint64_t period;    /* nanoseconds */
	uint64_t period_at; /* when the current one began */
	uint64_t moment_at; /* when profrun looks the next time */
	uint64_t answer_wait,
		answer_at; /* when it looks for answers; 0: there is nothing to wait for */
	uint64_t looked;   /* when profrun got its CPU */
	double had_used;   /* seconds of CPU time of its own, when it was about to sleep */
	bool late;	   /* and not at the moment at which it was to look */
	struct signal_account own;
	uint64_t random;
	uint32_t last_number;
	struct signal_judge judge;
	uint64_t hits, counted; /* and the ticks that they stand for */
	uint64_t sent, verdicts[SIGNAL_VERDICTS], unanswered, refused, woken;
	uint64_t unseen;     /* processes of whose threads not all could be looked at */
	int refusal;	     /* negative errno of the first that was refused */
	struct rlimit files; /* that profrun had */
	size_t pending;
};

static inline uint64_t signal_random(struct signal_ticks *ticks)
{
	uint64_t x = ticks->random += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}
