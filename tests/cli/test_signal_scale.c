/* SPDX-License-Identifier: MIT */
/* Hits of a process of known CPU time become as many ticks, whatever part of them was missed. */

#include "cli/ticks/signal_scale.h"

#include <criterion/criterion.h>

#define HITS 2000

static uint32_t state;

static uint32_t any(void)
{
	state = state * 1664525 + 1013904223;
	return state;
}

/* Ticks of two kinds of places: a hit of the first ends @first ticks of CPU time, and so on. */
static void run(double first, double second, uint64_t ret_ticks[2])
{
	struct signal_scale scale = {0};
	double cpu = 0;

	ret_ticks[0] = ret_ticks[1] = 0;
	for (int i = 0; i < HITS; i++) {
		int kind = any() >> 31;

		cpu += kind ? second : first;
		ret_ticks[kind] += signal_scale(&scale, 1, cpu, any());
	}
	/* What is not made up for yet is some ticks, whatever their number. */
	cr_assert_float_eq((double)scale.counted, cpu, 10);
}

Test(signal_scale, hits_that_miss_nothing_are_ticks)
{
	uint64_t ticks[2];

	run(1, 1, ticks);
	cr_assert_float_eq((double)(ticks[0] + ticks[1]), HITS, 10);
}

Test(signal_scale, the_total_is_the_cpu_time_however_many_are_missed)
{
	uint64_t ticks[2];

	run(1.7, 1.7, ticks);
	run(0.4, 0.4, ticks);
	run(5, 5, ticks);
}

Test(signal_scale, what_came_before_a_hit_does_not_decide_what_it_is)
{
	uint64_t ticks[2];

	/* As likely, so they have the same share, though the second ends three times as much. */
	run(0.5, 1.5, ticks);
	cr_assert_float_eq((double)ticks[1] / (double)(ticks[0] + ticks[1]), 0.5, 0.12);
}
