/* SPDX-License-Identifier: MIT */
/* The summary lines of a run: what ran, how long, how well it was seen, and what to know. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "cli/profile/profile.h"
#include "cli/report/terminal.h"

void summary_write(const struct profile *profile, const struct terminal *terminal, FILE *stream);

/*
 * What the numbers of the profile tell beside its own notes: the line at @index, 1, or 0 when
 * that one does not apply; -1 after the last.
 */
int summary_note(const struct profile *profile, size_t index, char *line, size_t size);

/* Why the profile has no ticks, in a line without "profrun: ". */
void summary_no_ticks(const struct profile *profile, char *line, size_t size);
