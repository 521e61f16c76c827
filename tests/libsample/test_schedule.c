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

static uint32_t random_number(void)
{
	return (uint32_t)jrand48(state);
}

/* Ticks that a thread of @length nanoseconds of CPU time is counted. */
static double count_thread(const struct schedule *schedule, double length)
{
	const double random[2] = {erand48(state), erand48(state)};
	double boundary = JIFFY * erand48(state), ticks = 0;
	struct schedule_times times;
	double expiry;
	int64_t credit = 0, more;

	schedule_draw(schedule, random, &times);
	more = (int64_t)times.more;
	expiry = (double)times.first;
	for (; boundary <= length; boundary += JIFFY) {
		int64_t expiries = 0;

		for (; expiry <= boundary; expiry += (double)times.period)
			expiries++;
		if (expiries == 0)
			continue;
		ticks += (double)schedule_take(schedule, &credit,
					       expiries * (int64_t)times.period + more,
					       random_number());
		more = 0;
	}
	return ticks;
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
	schedule_draw(&schedule, (const double[2]){0, 0}, &a);
	schedule_draw(&schedule, (const double[2]){0.999, 0.999}, &b);
	cr_assert(lt(u64, a.period, b.period));
	cr_assert(gt(u64, a.period, 6000000));
	cr_assert(lt(u64, b.period, 6360000));
	cr_assert(ge(u64, a.first, 1));
	cr_assert(zero(u64, b.more));
}

/* Of @expiries, those that became ticks in the first half of each @length, and all that did. */
static void count_halves(const struct schedule *schedule, double length, unsigned expiries,
			 double ret_ticks[2])
{
	const double random[2] = {erand48(state), erand48(state)};
	struct schedule_times times;
	int64_t credit = 0;

	schedule_draw(schedule, random, &times);
	ret_ticks[0] = ret_ticks[1] = 0;
	for (unsigned i = 0; i < expiries; i++) {
		double ticks = (double)schedule_take(schedule, &credit, (int64_t)times.period,
						     random_number());

		if (fmod((double)times.first + (double)times.period * i, length) < length / 2)
			ret_ticks[0] += ticks;
		ret_ticks[1] += ticks;
		cr_assert(lt(i64, llabs(credit), (int64_t)schedule->tick));
	}
	cr_assert_leq(fabs(ret_ticks[1] * (double)schedule->tick - (double)times.period * expiries),
		      (double)schedule->tick, "what is not counted stays in the credit");
}

/* What a clock in step with the scheduler adds to it is another matter. */
Test(schedule, takes_ticks_at_all_times_of_a_round_period)
{
	static const double lengths[] = {2, 3.3, 5, 10, 20};
	struct schedule schedule;
	double ticks[2], off;

	schedule_init(&schedule, 100, JIFFY);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
		for (unsigned run = 0; run < 100; run++) {
			count_halves(&schedule, lengths[i] * MS, 20000, ticks);
			off = ticks[0] / ticks[1] - 0.5;
			/* Six sigma of as many independent draws. */
			cr_assert_lt(fabs(off), 6 * 0.5 / sqrt(ticks[1]), "%g ms: %g of %g",
				     lengths[i], ticks[0], ticks[1]);
		}
}
