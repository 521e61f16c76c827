/* SPDX-License-Identifier: MIT */
/* Five functions in one thread: 50, 25, 15, 8 and 2 %. */

#include "tests/targets/truth.h"

TRUTH_BURN(half, 3)
TRUTH_BURN(quarter, 5)
TRUTH_BURN(seventh, 7)
TRUTH_BURN(twelfth, 9)
TRUTH_BURN(fiftieth, 11)

int main(void)
{
	struct truth_part parts[] = {
		{.name = "half", .burn = half, .share = 0.50},
		{.name = "quarter", .burn = quarter, .share = 0.25},
		{.name = "seventh", .burn = seventh, .share = 0.15},
		{.name = "twelfth", .burn = twelfth, .share = 0.08},
		{.name = "fiftieth", .burn = fiftieth, .share = 0.02},
	};
	struct truth truth;

	truth_init(&truth, parts, 5, 0);
	truth_rounds(&truth, 4, 20);
	truth_end_thread(&truth);
	truth_write(&truth, 1);
	return 0;
}
