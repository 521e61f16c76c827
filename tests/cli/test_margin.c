/* SPDX-License-Identifier: MIT */
/* Wilson's interval against values worked out by hand. */

#include "cli/report/margin.h"

#include <criterion/criterion.h>

Test(margin, agrees_with_known_intervals)
{
	/* 8 of 10: 0.4902 to 0.9433; 0 of 10: 0 to 0.2775; 10 of 10: 0.7225 to 1. */
	cr_assert_float_eq(margin_of(0.8, 10), (0.9433 - 0.4902) / 2, 1e-4);
	cr_assert_float_eq(margin_of(0.0, 10), 0.2775 / 2, 1e-4);
	cr_assert_float_eq(margin_of(1.0, 10), (1 - 0.7225) / 2, 1e-4);
}

Test(margin, shrinks_as_ticks_come)
{
	double before = 1;

	for (double ticks = 1; ticks < 1e9; ticks *= 10) {
		double now = margin_of(0.3, ticks);

		cr_assert_lt(now, before);
		before = now;
	}
}

Test(margin, is_everything_without_ticks)
{
	cr_assert_float_eq(margin_of(0.5, 0), 1, 1e-12);
	cr_assert_float_eq(margin_of(0.5, -1), 1, 1e-12);
}

Test(margin, seconds_have_the_decimals_of_a_tick)
{
	cr_assert_eq(margin_decimals(0.1), 2);
	cr_assert_eq(margin_decimals(0.01), 2);
	cr_assert_eq(margin_decimals(0.004), 3);
	cr_assert_eq(margin_decimals(0.001), 3);
	cr_assert_eq(margin_decimals(0.0001), 4);
	cr_assert_eq(margin_decimals(0), 6);
}
