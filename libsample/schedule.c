/* SPDX-License-Identifier: MIT */
/* The arithmetic of schedules; see the header for why. */

#include "libsample/schedule.h"

#include <stdbool.h>

#define NANOSECONDS  1000000000u
#define GOLDEN_RATIO 0.6180339887498949
#define SPREAD	     0.04 /* of the periods of different threads */

/* By Newton's method: the module links nothing but the C library. */
static double square_root(double x)
{
	double root = 1;

	for (int i = 0; i < 40; i++)
		root = (root + x / root) / 2;
	return x > 0 ? root : 0;
}

/*
 * An expiry that the advance puts before the thread's start happens at its start instead, which
 * moves the ones after it: with an advance of s periods that takes s^2 / 2 back. What is needed is
 * half a jiffy, so s - s^2 / 2 = jiffy / (2 period).
 */
void schedule_init(struct schedule *schedule, unsigned rate, uint64_t jiffy)
{
	double period = GOLDEN_RATIO * NANOSECONDS / rate;

	schedule->tick = NANOSECONDS / rate;
	schedule->jiffy = jiffy;
	schedule->advance =
		(double)jiffy < period ? 1 - square_root(1 - (double)jiffy / period) : 1;
}

void schedule_draw(const struct schedule *schedule, const double random[2],
		   struct schedule_times *ret_times)
{
	double period = GOLDEN_RATIO * (double)schedule->tick;
	double first;

	period *= 1 + SPREAD * (random[0] - 0.5);
	first = period * (random[1] - schedule->advance);
	ret_times->first = first < 1 ? 1 : (uint64_t)first;
	ret_times->period = (uint64_t)period;
	/* Where several periods fit in a jiffy, more than one expiry is late at the end. */
	ret_times->more = (double)schedule->jiffy > period
				  ? (uint64_t)(((double)schedule->jiffy - period) / 2)
				  : 0;
}

/* Whether @random of 2^32 is below @part of @whole, both of which are less than 2^31. */
static bool happens(uint32_t random, int64_t part, int64_t whole)
{
	return (uint64_t)random * (uint64_t)whole < (uint64_t)part << 32;
}

/*
 * With the whole ticks left out, the time is in some part of a tick: in @before, now in @after. The
 * credit of all that could be is that part, or a tick less, where one was taken early; the latter
 * has to be as likely as the part is long. So it was in @before of a tick, and what is added here
 * makes it so in @after, by the fewest changes.
 */
static bool takes_early(int64_t before, int64_t after, int64_t tick, bool taken, uint32_t random)
{
	if (taken)
		return after >= before || happens(random, after, before);
	return after > before && happens(random, after - before, tick - before);
}

uint64_t schedule_take(const struct schedule *schedule, int64_t *credit, int64_t passed,
		       uint32_t random)
{
	const int64_t tick = (int64_t)schedule->tick, start = *credit;
	int64_t before = start % tick, after, ticks;

	*credit += passed;
	if (*credit < 0)
		return 0;
	if (before < 0)
		before += tick;
	after = *credit % tick;
	ticks = *credit / tick + takes_early(before, after, tick, start < 0, random);
	*credit -= ticks * tick;
	return (uint64_t)ticks;
}
