/* SPDX-License-Identifier: MIT */
/* The run of a program, as the files of its command share it. */
#pragma once

#include <sys/types.h>

#include "cli/cmd_publish.h"
#include "cli/collect/collect.h"
#include "cli/launch/launch.h"
#include "cli/launch/preflight.h"
#include "cli/live/live.h"
#include "cli/options.h"
#include "cli/profile/profile.h"
#include "cli/ticks/tick_source.h"
#include "symbolize/error.h"

struct run {
	const struct options *options;
	struct preflight preflight;
	struct outputs outputs;
	const struct tick_source *chosen; /* never "auto" */
	struct error why;		  /* "auto" stands for it, "" when it was asked for */
	struct profile *total;		  /* of all runs so far */

	/* Of the run that is on. */
	struct profile *profile;
	struct collect *collect;	 /* NULL: the target runs without a profile */
	const struct tick_source *ticks; /* that really tick */
	char *preload;
	char **environment; /* the target's */
	pid_t target;
	double started;	   /* on the monotonic clock */
	int interim;	   /* the socket for interim reports, -1: none */
	struct live *live; /* the view, NULL: none */
};

/* What the profile says of the run as a whole, which took what @result says. */
void run_fill_profile(struct run *run, const struct launch_result *result);
