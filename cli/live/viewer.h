/* SPDX-License-Identifier: MIT */
/*
 * The viewer: a process of its own, so that naming and drawing never delay what profrun does for
 * the program, and so that somebody is left to give the terminal back when profrun is killed. It
 * asks profrun for what was counted so far and shows it.
 */
#pragma once

#include <sys/types.h>

#include "cli/live/screen.h"
#include "cli/options.h"

/*
 * In a fork of profrun, @parent, with all signals blocked: shows the view until the other end of
 * @wire is closed, or a key ends it (status 0).
 */
_Noreturn void viewer_run(struct screen *screen, const struct options *options, int wire,
			  pid_t parent);
