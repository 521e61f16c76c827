/* SPDX-License-Identifier: MIT */
/* The CPU time of a process that still runs, as wait4(2) would tell it after its end. */
#pragma once

#include <sys/types.h>

/*
 * Adds the seconds that @pid, its descendants and all that they waited for have used, as /proc
 * tells them.
 */
void process_times_add(pid_t pid, double *user, double *system);
