/* SPDX-License-Identifier: MIT */
/* Wilson's interval. */

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
