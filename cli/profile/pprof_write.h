/* SPDX-License-Identifier: MIT */
/* Writes a profile in pprof's format, gzip'ed. */
#pragma once

#include <stdio.h>

#include "cli/profile/profile.h"

/*
 * Everything that a report needs is in the file: buckets unsplit, the names that were found, the
 * facts of the run. The profile must be named. 0, -ENOMEM, or -EIO when @stream failed.
 */
int pprof_write(const struct profile *profile, FILE *stream);
