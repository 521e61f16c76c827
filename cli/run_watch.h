/* SPDX-License-Identifier: MIT */
/* Those who look at a run while it is on: interim reports and --live. */
#pragma once

#include "cli/run.h"

/* Before the launch. Without a profile there is nothing to see, and nobody is waited for. */
void run_watch_start(struct run *run);

/* Answers whoever asked; to be called when the collection's descriptor is ready. */
void run_watch_serve(struct run *run);

/* profrun is about to stop: who waits for that has the terminal then. */
void run_watch_hide(struct run *run);

void run_watch_stop(struct run *run);
