/* SPDX-License-Identifier: MIT */
/*
 * Schedules against a model of the kernel: expiries are noticed at the next tick of the scheduler,
 * whose phase has nothing to do with the thread.
 */

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>

#include "libsample/schedule.h"

#define JIFFY	4000000u
#define MS	1000000.0
#define THREADS 200000

static unsigned short state[3] = {1, 2, 3};

/* Ticks that a thread of @length nanoseconds of CPU time is counted. */
static double count_thread(const struct schedule *schedule, double length)
{
	const double random[3] = {erand48(state), erand48(state), erand48(state)};
	double boundary = JIFFY * erand48(state), last = boundary;
	struct schedule_times times;
	double noticed;

	schedule_draw(schedule, random, &times);
	if (boundary > length)
		return 0;
	while (last + JIFFY <= length)
		last += JIFFY;
	if ((double)times.first > last)
		return 0;
	noticed = 1 + floor((last - (double)times.first) / (double)times.period);
	return floor(((double)times.credit + noticed * (double)times.period) /
		     (double)schedule->tick);
}

static void check(unsigned rate, double length)
{
	struct schedule schedule;
	double sum = 0, expected = length / (1e9 / rate);

	schedule_init(&schedule, rate, JIFFY);
	for (int i = 0; i < THREADS; i++)
		sum += count_thread(&schedule, length);
	/*
	 * An early expiry that happens at the thread's start moves the later ones a little, which
	 * the advance makes good on average over lengths: within a sixteenth of a tick for each.
	 */
	cr_assert_lt(fabs(sum / THREADS - expected), 0.003 * expected + 1.0 / 16,
		     "%u Hz, threads of %g ms: %g ticks each, %g expected", rate, length / MS,
		     sum / THREADS, expected);
}

Test(schedule, counts_threads_of_any_length_by_their_time)
{
	static const unsigned rates[] = {1, 10, 100, 155, 250, 1000};
	static const double lengths[] = {4, 5, 8, 13, 20, 50, 333};

	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++)
		for (size_t j = 0; j < sizeof(lengths) / sizeof(*lengths); j++)
			check(rates[i], lengths[j] * MS);
}

Test(schedule, gives_threads_different_periods_near_the_golden_ratio)
{
	struct schedule schedule;
	struct schedule_times a, b;

	schedule_init(&schedule, 100, JIFFY);
	schedule_draw(&schedule, (const double[3]){0, 0, 0}, &a);
	schedule_draw(&schedule, (const double[3]){0.999, 0.999, 0.999}, &b);
	cr_assert(lt(u64, a.period, b.period));
	cr_assert(gt(u64, a.period, 6000000));
	cr_assert(lt(u64, b.period, 6360000));
	cr_assert(ge(u64, a.first, 1));
	cr_assert(lt(u64, b.credit, schedule.tick));
}
