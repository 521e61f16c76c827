/* SPDX-License-Identifier: MIT */
/* The first of two libraries that a target is linked with. */

#include "tests/targets/library.h"
#include "tests/targets/truth.h"

void alpha(uint64_t turns)
{
	TRUTH_STEPS(turns, 13)
}
