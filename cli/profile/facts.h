/* SPDX-License-Identifier: MIT */
/*
 * The facts of a run that the saved format has no field for: one JSON text, with a version, in its
 * comments.
 */
#pragma once

#include <stdbool.h>

#include "cli/profile/profile.h"
#include "symbolize/error.h"

/* Freed by the caller; NULL when memory ran out. */
char *facts_write(const struct profile *profile);

/* Whether a comment is such a text, of whatever version. */
bool facts_are(const char *comment);

/* Fills @profile, processes included (without their ticks). A negative errno with *err. */
int facts_read(const char *text, struct profile *profile, struct error *err);
