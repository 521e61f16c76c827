/* SPDX-License-Identifier: MIT */
/*
 * What has been counted so far, on its way from a fork of profrun to the view. Both are the same
 * program: numbers and static strings pass as they are, which takes a hundredth of the time that
 * a file in pprof's format would.
 */
#pragma once

#include "cli/profile/profile.h"

/*
 * Writes @profile to the file @fd, which is empty: times, objects, processes, threads, entries and
 * the names that perf maps gave. 0 or a negative errno.
 */
int snapshot_write(const struct profile *profile, int fd);

/* Reads it again. 0 or a negative errno; *ret_profile is the caller's. */
int snapshot_read(int fd, struct profile **ret_profile);
