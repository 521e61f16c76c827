/* SPDX-License-Identifier: MIT */
/* Saved profiles for the commands that read some. */
#pragma once

#include "cli/profile/profile.h"
#include "symbolize/error.h"

/*
 * Reads @files (NULL-terminated) as one profile, of which each is a run when there are several; no
 * file at all is the last run. 0, or a negative errno with *err.
 */
int profile_files_read(char *const *files, struct profile **ret_profile, struct error *err);
