/* SPDX-License-Identifier: MIT */
/* Where the last run is kept: $XDG_STATE_HOME/profrun/last.pb.gz, readable by its owner alone. */
#pragma once

#include "cli/output.h"
#include "symbolize/error.h"

/* The path; freed by the caller. A negative errno with *err when there is no home. */
int saved_path(char **ret_path, struct error *err);

/* Opens it for the next run, and makes the folders on the way. */
int saved_open(struct output *ret_output, struct error *err);
