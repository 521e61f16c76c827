/* SPDX-License-Identifier: MIT */
/*
 * Whether two counts of ticks differ by more than chance. A count is of one function in one
 * profile, whose CPU time as a whole is known: what is uncertain is the function's part of it.
 */
#pragma once

#define DIFFERENCE_ALPHA 0.05 /* how often a table of equal profiles may show any change */

/* One profile of the two. */
struct difference_side {
	double effective; /* independent ticks in all */
	double unit;	  /* of what is compared (seconds, or a share), per independent tick */
};

/*
 * The probability that counts @old and @new (of independent ticks) come from amounts of which the
 * second is at least (@rises) or at most @factor times the first: one side of a test.
 */
double difference_chance(const struct difference_side *old_side, double old,
			 const struct difference_side *new_side, double new, double factor,
			 int rises);

/* The least that difference_chance() can be for any division of the same ticks. */
double difference_least_chance(const struct difference_side *old_side,
			       const struct difference_side *new_side, double ticks);

/* The standard deviation of the difference of two counts whose amounts are the same. */
double difference_deviation(const struct difference_side *old_side, double old,
			    const struct difference_side *new_side, double new);

/* How many standard deviations a normal variable exceeds with probability @chance (up to 1/2). */
double difference_quantile(double chance);
