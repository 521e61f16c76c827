/* SPDX-License-Identifier: MIT */
/* The snapshots of the last seconds, and what was counted since one of them. */
#pragma once

#include "cli/profile/profile.h"

#define RECENT_SECONDS 10

struct recent;

/* NULL: no memory. */
struct recent *recent_new(void);
void recent_free(struct recent *recent);

/* Takes over the file @fd of the newest snapshot, of a run of @elapsed seconds. */
void recent_keep(struct recent *recent, int fd, double elapsed);

/* The files of the newest one, and of one from RECENT_SECONDS before it; -1: there is none. */
int recent_newest(const struct recent *recent);
int recent_earlier(const struct recent *recent);

/*
 * Leaves of the counts of @profile what @earlier, a profile of the same run, does not have yet;
 * @earlier is of no use any more. 0 or -ENOMEM.
 */
int recent_subtract(struct profile *profile, struct profile *earlier);
