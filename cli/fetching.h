/* SPDX-License-Identifier: MIT */
/* While debug files may come from servers: progress on a terminal, and Ctrl-C goes on without. */
#pragma once

#include "cli/options.h"

void fetching_begin(const struct options *options);
void fetching_end(const struct options *options);
