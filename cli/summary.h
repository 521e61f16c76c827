/* SPDX-License-Identifier: MIT */
/* The summary lines of a run: what ran, how long, how well it was seen, and what to know. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/profile.h"
#include "cli/terminal.h"

void summary_write(const struct profile *profile, const struct terminal *terminal, FILE *stream);

/* That the program mostly waited, in a line; false: it did not. */
bool summary_waiting(const struct profile *profile, char *line, size_t size);

/* Why the profile has no ticks, in a line without "profrun: ". */
void summary_no_ticks(const struct profile *profile, char *line, size_t size);
