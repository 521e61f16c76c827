/* SPDX-License-Identifier: MIT */
/*
 * Few ticks are compared exactly: given their sum, the newer ones are binomial. That takes each
 * count for Poisson's, which is true of small parts of the whole and cautious for large ones;
 * many ticks are compared by the normal distribution with the binomial deviation of each part.
 */

#include "cli/report/difference.h"

#include <math.h>

#define EXACT_MAX      60.0 /* ticks of both up to which they are compared exactly */
#define FRACTION_TERMS 300

/* Where a profile begins and ends between two ticks: the variance of that, in ticks. */
#define EDGES 0.17

/* Keeps divisions of the continued fraction possible. */
static double nonzero(double number)
{
	return fabs(number) < 1e-300 ? 1e-300 : number;
}

/* The continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double x, double a, double b)
{
	double c = 1, d = 1 / nonzero(1 - (a + b) * x / (a + 1)), value = d;

	for (int i = 1; i <= FRACTION_TERMS; i++) {
		double even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
		double odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
		double step;

		d = 1 / nonzero(1 + even * d);
		c = nonzero(1 + even / c);
		value *= d * c;
		d = 1 / nonzero(1 + odd * d);
		c = nonzero(1 + odd / c);
		step = d * c;
		value *= step;
		if (fabs(step - 1) < 1e-12)
			break;
	}
	return value;
}

/* The regularised incomplete beta function I_x(a, b). */
static double beta(double x, double a, double b)
{
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));

	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

/* The part of both sides' ticks that are expected on the new one. */
static double new_part(const struct difference_side *old_side,
		       const struct difference_side *new_side, double factor)
{
	double old_rate = 1 / old_side->unit, new_rate = factor / new_side->unit;

	return new_rate / (old_rate + new_rate);
}

/* P(X >= count) for binomial X of @all, whose success has probability @part. */
static double binomial_tail(double part, double count, double all)
{
	if (count <= 0)
		return 1;
	return beta(part, count, all - count + 1);
}

static double normal_tail(double deviations)
{
	return 0.5 * erfc(deviations / sqrt(2));
}

/* The variance of an amount that is @amount of the whole that the side has seen. */
static double variance_of(const struct difference_side *side, double amount)
{
	double part = amount / (side->unit * side->effective);

	if (part > 1)
		part = 1;
	return side->unit * side->unit * (side->effective * part * (1 - part) + EDGES);
}

static double deviation(const struct difference_side *old_side, double old,
			const struct difference_side *new_side, double new, double factor)
{
	/* What the amount is if the newer one is @factor times the older. */
	double old_unit = old_side->unit, new_unit = new_side->unit / factor;
	double amount = (old + new) / (1 / old_unit + 1 / new_unit);

	return sqrt(variance_of(old_side, amount) * factor * factor +
		    variance_of(new_side, amount * factor));
}

double difference_deviation(const struct difference_side *old_side, double old,
			    const struct difference_side *new_side, double new)
{
	return deviation(old_side, old, new_side, new, 1);
}

double difference_chance(const struct difference_side *old_side, double old,
			 const struct difference_side *new_side, double new, double factor,
			 int rises)
{
	double part = new_part(old_side, new_side, factor), change;

	if (old + new <= 0)
		return 1;
	if (old + new <= EXACT_MAX)
		return rises ? binomial_tail(part, new, old + new)
			     : binomial_tail(1 - part, old, old + new);
	change = new * new_side->unit - factor *old * old_side->unit;
	return normal_tail((rises ? change : -change) /
			   deviation(old_side, old, new_side, new, factor));
}

double difference_least_chance(const struct difference_side *old_side,
			       const struct difference_side *new_side, double ticks)
{
	double part = new_part(old_side, new_side, 1);

	if (ticks > EXACT_MAX)
		return 0;
	return pow(part < 0.5 ? part : 1 - part, ticks);
}

double difference_quantile(double chance)
{
	double low = 0, high = 40;

	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (normal_tail(middle) > chance)
			low = middle;
		else
			high = middle;
	}
	return high;
}
