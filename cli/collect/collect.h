/* SPDX-License-Identifier: MIT */
/*
 * Collects what the images of a run count in the arena, while they run and after they ended, into a
 * profile. The memory of an image that ended is given back at once, so that a run may start any
 * number of processes.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "cli/collect/arena_file.h"
#include "cli/profile/profile.h"

struct collect;

/* @profile is filled as images end; it stays the caller's. */
int collect_new(const struct arena_settings *settings, struct profile *profile,
		struct collect **ret_collect, struct error *err);
void collect_free(struct collect *collect);

/* The control variable's value for the target. */
const char *collect_control(const struct collect *collect);

/*
 * Hooks for struct launch_hooks; @data is the struct collect. Ticks that come from outside start
 * when the target has been started; where they cannot, it returns a negative errno with *err, and
 * the target's own timers tick instead.
 */
int collect_started(struct collect *collect, pid_t pid, struct error *err);
int collect_work(struct collect *collect);
int collect_work_fd(const struct collect *collect);
bool collect_stopped(struct collect *collect, int status);

/* Whether programs that change their rights when they are executed are profiled too. */
bool collect_sees_privileged(const struct collect *collect);

/*
 * In a fork of profrun, while the target runs: makes collect_finish() take what has been counted so
 * far and leave all of it to the parent.
 */
void collect_detach(struct collect *collect);

/*
 * When the target has ended: takes what is left, and adds notes on what could not be counted.
 * Returns 0 or -ENOMEM.
 */
int collect_finish(struct collect *collect);
