/* SPDX-License-Identifier: MIT */
/* The module that a target opens while it runs. */

#include "tests/targets/library.h"
#include "tests/targets/truth.h"

TRUTH_BURN(plugin, 19)
