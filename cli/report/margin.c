/* SPDX-License-Identifier: MIT */
/* Wilson's interval, and what a tick can tell. */

#include "cli/report/margin.h"

#include <math.h>

#define Z 1.959963984540054 /* of the normal distribution, 95 % lie within */

double margin_of(double share, double effective)
{
	double correction;

	if (effective <= 0)
		return 1;
	correction = Z * Z / effective;
	return Z * sqrt(share * (1 - share) / effective + correction / (4 * effective)) /
	       (1 + correction);
}

int margin_decimals(double period_seconds)
{
	int decimals = 2;

	for (double unit = 0.0099; decimals < 6 && period_seconds < unit; unit /= 10)
		decimals++;
	return decimals;
}
