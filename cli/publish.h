/* SPDX-License-Identifier: MIT */
/* From a profile to a written report: what `run`, `report` and their kin have in common. */
#pragma once

#include "cli/options.h"
#include "cli/output.h"
#include "cli/profile.h"

/*
 * Names the profile's code, writes the report by @options to @output and commits it; the summary
 * lines go where they belong. Failures, and the reason why there are no rows, are printed. Returns
 * 0, or a negative errno after a message.
 */
int cmd_publish(struct profile *profile, const struct options *options, struct output *output);
