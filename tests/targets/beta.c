/* SPDX-License-Identifier: MIT */
/* The second of two libraries that a target is linked with. */

#include "tests/targets/library.h"
#include "tests/targets/truth.h"

void beta(uint64_t turns)
{
	TRUTH_STEPS(turns, 17)
}
