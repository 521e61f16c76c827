/* SPDX-License-Identifier: MIT */
/* The summary lines of a run: what ran, how long, how well it was seen, and what to know. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/profile/profile.h"
#include "cli/report/terminal.h"

void summary_write(const struct profile *profile, const struct terminal *terminal, FILE *stream);

/* The words of the command, as one would type them in a shell; freed by the caller, or NULL. */
char *summary_command(const struct profile *profile);

/* How the program ended, unless it ended well. */
bool summary_end(const struct profile *profile, char *text, size_t size);

/*
 * What the numbers of the profile tell beside its own notes: the line at @index, 1, or 0 when
 * that one does not apply; -1 after the last.
 */
int summary_note(const struct profile *profile, size_t index, char *line, size_t size);

/* Why the profile has no ticks, in a line without "profrun: ". */
void summary_no_ticks(const struct profile *profile, char *line, size_t size);
