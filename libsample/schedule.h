/* SPDX-License-Identifier: MIT */
/*
 * When a thread's timer expires, and what an expiry is worth.
 *
 * CPU timers expire in the scheduler's tick, so a strict period of 10 ms falls into step with
 * programs whose own period is a round number (seen: a program that alternates two functions every
 * 5 ms was reported as 71/29 and 0/100). A timer therefore expires faster than the rate asks, by
 * the golden ratio, which no small number of periods brings back to the same phase, and by a few
 * per cent that differ by thread. Each expiry adds the CPU time that it stands for to the thread's
 * credit, and whole ticks are taken from the credit, so that totals are exact whatever the period.
 *
 * Which expiries become ticks must not depend on the time either: if each took what is whole, only
 * those in the same six tenths of every 10 ms would (the program above was still shown as 23 to
 * 75 %). A tick is therefore taken early by chance, its credit is then negative, and the chance is
 * such that at each time the credit is 0 on average: every expiry counts alike.
 *
 * The tick also makes every expiry late, by half a tick of the scheduler on average, and a thread
 * that ends takes its late ones with it (seen: 200 threads of 20 ms lost 12 % of their time at 250
 * Hz). The schedule of a thread therefore starts earlier than the thread, by as much as is lost at
 * its end.
 */
#pragma once

#include <stdint.h>

struct schedule {
	uint64_t tick;	/* nanoseconds of CPU time that one counted tick stands for */
	uint64_t jiffy; /* nanoseconds between two ticks of the scheduler */
	double advance; /* by how much of a period a schedule starts earlier than its thread */
};

/* The schedule of a thread. */
struct schedule_times {
	uint64_t first;	 /* nanoseconds of CPU time until the first expiry */
	uint64_t period; /* and between two */
	uint64_t more;	 /* that the first expiry adds to the credit */
};

/* For @rate ticks per second of CPU time. */
void schedule_init(struct schedule *schedule, unsigned rate, uint64_t jiffy);

/* Draws the times of one thread from two random numbers in [0, 1). */
void schedule_draw(const struct schedule *schedule, const double random[2],
		   struct schedule_times *ret_times);

/*
 * Adds @passed nanoseconds to @credit, which starts as 0, and takes ticks from it. It stays less
 * than a tick from 0, unless @passed is negative. @random is any number. Async-signal-safe.
 */
uint64_t schedule_take(const struct schedule *schedule, int64_t *credit, int64_t passed,
		       uint32_t random);
