/* SPDX-License-Identifier: MIT */
/* The arithmetic of schedules; see the header for why. */

#include "libsample/schedule.h"

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

void schedule_draw(const struct schedule *schedule, const double random[3],
		   struct schedule_times *ret_times)
{
	double period = GOLDEN_RATIO * (double)schedule->tick;
	double first;

	period *= 1 + SPREAD * (random[0] - 0.5);
	first = period * (random[1] - schedule->advance);
	ret_times->first = first < 1 ? 1 : (uint64_t)first;
	ret_times->period = (uint64_t)period;
	/* Uniform in [0, tick): what a thread leaves uncounted evens out over threads. */
	ret_times->credit = (uint64_t)((double)schedule->tick * random[2]);
	/* Where several periods fit in a jiffy, more than one expiry is late at the end. */
	if ((double)schedule->jiffy > period)
		ret_times->credit += (uint64_t)(((double)schedule->jiffy - period) / 2);
}
