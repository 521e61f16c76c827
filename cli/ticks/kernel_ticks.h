/* SPDX-License-Identifier: MIT */
/*
 * The tick source "kernel": profrun reads the kernel's clock while the target runs and counts for
 * it, from its first instruction to its last, in every process that it starts, whatever program
 * that is. The target has neither timer nor signal nor descriptor for it. The source "ptrace"
 * differs in how profrun learns what the target does.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/collect/images.h"
#include "cli/profile/profile.h"
#include "symbolize/error.h"

struct kernel_ticks;

struct kernel_ticks_settings {
	struct profile *profile;
	uint32_t rate, scale;
	bool main_only;
	bool threads_apart;
	bool no_follow;
	bool by_ptrace; /* threads are looked at (ptrace_ticks.h) instead of the kernel's clock */
	/* What is sampled outside of these moments, seconds of the monotonic clock, is no tick. */
	double count_from, count_until;
	/*
	 * The process of @image has ended or has become another one, or (at the end of the run)
	 * @runs on. An image without a process was never seen by the kernel.
	 */
	void (*image_ended)(struct image *image, bool runs, void *data);
	void *data;
};

/*
 * Starts the ticks for the target @pid, which waits before its exec. What wakes profrun is added to
 * the epoll descriptor @poll_fd. 0, or a negative errno with *err.
 */
int kernel_ticks_new(const struct kernel_ticks_settings *settings, pid_t pid, int poll_fd,
		     struct kernel_ticks **ret_ticks, struct error *err);
void kernel_ticks_free(struct kernel_ticks *ticks);

/* Whether programs that change their rights by exec are seen too. */
bool kernel_ticks_sees_privileged(const struct kernel_ticks *ticks);

/* Whether any of the target's code has been seen. */
bool kernel_ticks_saw_target(const struct kernel_ticks *ticks);

/* Seconds of CPU time that samples have stood for so far, and those outside of the moments. */
double kernel_ticks_cpu_seconds(const struct kernel_ticks *ticks);
double kernel_ticks_unsampled_seconds(const struct kernel_ticks *ticks);

/* An image has announced itself; it stays the caller's. 0 or -ENOMEM. */
int kernel_ticks_add_image(struct kernel_ticks *ticks, struct image *image);

/*
 * Counts what has come. Returns 0 or -ENOMEM; *ret_wait: in how many milliseconds it has to be
 * called again, -1: when that suits.
 */
int kernel_ticks_work(struct kernel_ticks *ticks, int *ret_wait);

/* The target has stopped, as wait(2) says with @status. True: only to be looked at. */
bool kernel_ticks_stopped(struct kernel_ticks *ticks, int status);

/* In a fork of profrun, which has not got the rings: what has been counted is all there is. */
void kernel_ticks_detach(struct kernel_ticks *ticks);

/*
 * At the end of the run: counts everything, gives all images back, says in the profile what was not
 * counted. *ret_running is how many processes still run, *ret_squares the sum of the squares of all
 * weights that images have not counted. 0 or -ENOMEM.
 */
int kernel_ticks_finish(struct kernel_ticks *ticks, size_t *ret_running, double *ret_squares);
