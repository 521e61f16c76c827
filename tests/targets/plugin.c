/* SPDX-License-Identifier: MIT */
/* The module that a target opens while it runs. */

#include "tests/targets/library.h"
#include "tests/targets/truth.h"

void plugin(uint64_t turns)
{
	TRUTH_STEPS(turns, 19)
}
