/* SPDX-License-Identifier: MIT */
/* From a profile to what is written of it: what `run`, `report` and their kin have in common. */
#pragma once

#include "cli/options.h"
#include "cli/output.h"
#include "cli/profile/profile.h"

struct outputs {
	struct output report;
	struct output save; /* --save */
	bool keep_last;	    /* also keep the profile as the last run */
};

/*
 * Opens what @options name, so that a failure is known before anything runs; without -o the report
 * goes to the descriptor @fallback. Returns 0, or a negative errno after a message.
 */
int cmd_outputs_open(const struct options *options, int fallback, struct outputs *ret_outputs);
void cmd_outputs_done(struct outputs *outputs);

/*
 * Names the profile's code, keeps it where it is to be kept, and writes the report by @options;
 * the summary lines go where they belong. Failures, and the reason why there are no rows,
 * are printed. Returns 0, or a negative errno after a message.
 */
int cmd_publish(struct profile *profile, const struct options *options, struct outputs *outputs);

/* Which names @options ask for, as places_find() takes it. */
unsigned cmd_name_flags(const struct options *options);

/* For commands that run no program: a closed pipe and a file size limit are errors like others. */
void cmd_ignore_write_signals(void);
