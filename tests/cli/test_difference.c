/* SPDX-License-Identifier: MIT */
/* Chances against values worked out by hand. */

#include "cli/report/difference.h"

#include <criterion/criterion.h>
#include <math.h>

static const struct difference_side second = {.effective = 1000, .unit = 0.01};
static const struct difference_side coarse = {.effective = 500, .unit = 0.02};

Test(difference, few_ticks_are_compared_exactly)
{
	/* Tails of the binomial distribution, summed by hand. */
	cr_assert_float_eq(difference_chance(&second, 0, &second, 5, 1, 1), 0.03125, 1e-9);
	cr_assert_float_eq(difference_chance(&second, 8, &second, 12, 1, 1), 0.2517223, 1e-6);
	cr_assert_float_eq(difference_chance(&second, 12, &second, 8, 1, 0), 0.2517223, 1e-6);
	/* A tick of the newer one is worth two: a third of all is expected there. */
	cr_assert_float_eq(difference_chance(&second, 6, &coarse, 9, 1, 1), 0.0308279, 1e-6);
}

Test(difference, many_ticks_have_the_deviation_of_their_part)
{
	/* 300 and 360 of 1000: a part of 33 %, a deviation of sqrt(2 * (221.1 + 0.17)). */
	double deviation = difference_deviation(&second, 300, &second, 360);

	cr_assert_float_eq(deviation, 0.01 * sqrt(2 * (330 * 0.67 + 0.17)), 1e-9);
	cr_assert_float_eq(difference_chance(&second, 300, &second, 360, 1, 1),
			   0.5 * erfc(0.6 / deviation / sqrt(2)), 1e-12);
}

Test(difference, all_of_a_run_is_known_but_for_its_edges)
{
	cr_assert_lt(difference_chance(&second, 1000, &second, 1010, 1, 1), 1e-9);
	cr_assert_gt(difference_chance(&second, 1000, &second, 1001, 1, 1), 0.01);
}

Test(difference, a_factor_moves_what_is_compared)
{
	double equal = difference_chance(&second, 300, &second, 345, 1.15, 1);

	cr_assert_float_eq(equal, 0.5, 1e-9);
	cr_assert_lt(difference_chance(&second, 300, &second, 450, 1.15, 1), 0.001);
}

Test(difference, nothing_is_no_difference)
{
	cr_assert_eq(difference_chance(&second, 0, &second, 0, 1, 1), 1);
	cr_assert_eq(difference_chance(&second, 0, &second, 0, 1, 0), 1);
}

Test(difference, the_least_chance_is_that_of_all_on_one_side)
{
	cr_assert_float_eq(difference_least_chance(&second, &second, 5), 0.03125, 1e-9);
	cr_assert_float_eq(difference_least_chance(&second, &coarse, 2), 1.0 / 9, 1e-9);
	cr_assert_eq(difference_least_chance(&second, &second, 1000), 0);
}

Test(difference, quantiles_are_those_of_the_normal_distribution)
{
	cr_assert_float_eq(difference_quantile(0.025), 1.959963985, 1e-8);
	cr_assert_float_eq(difference_quantile(0.5), 0, 1e-8);
}
