/* SPDX-License-Identifier: MIT */
/* A way to see more, where most of the time is in code that a runtime made or interprets. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cli/profile/profile.h"

/* How code that the runtime @command makes gets names, and in *ret_what code; NULL: nobody knows.
 */
const char *hint_of_program(const char *command, const char **ret_what);

/* Whether there is one for @profile, whose code is named; it is in @line then. */
bool hint_find(const struct profile *profile, char *line, size_t size);
