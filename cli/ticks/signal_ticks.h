/* SPDX-License-Identifier: MIT */
/*
 * The tick source "signal": at random moments, the rate apart on average, profrun looks which
 * threads of the program run, and queues each of them a probe (libsample/probe.h). The handler
 * answers where the thread was; profrun judges by the kernel's accounts whether it was on a CPU
 * when profrun looked, and then counts the answer as a tick. The program counts nothing itself.
 *
 * While a probe is on its way, in a long system call, the thread cannot be sent another: the CPU
 * time that it has used meanwhile is counted where the answer says.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/collect/images.h"
#include "cli/profile/profile.h"
#include "symbolize/error.h"

struct signal_ticks;

struct signal_ticks_settings {
	const struct arena_file *arena;
	uint32_t rate;
	bool verbose;	/* what was sent is told, too */
	bool main_only; /* only the main executable's text has a histogram */
	int poll_fd;	/* of epoll(7): what wakes profrun is added to it */
};

/* 0, or a negative errno with *err: this machine does not have what it needs. */
int signal_ticks_new(const struct signal_ticks_settings *settings, struct signal_ticks **ret_ticks,
		     struct error *err);
void signal_ticks_free(struct signal_ticks *ticks);

/*
 * Sends probes to the threads of the @count @images if it is time, but not unless @counting, and
 * counts what has been answered. 0 or -ENOMEM.
 */
int signal_ticks_work(struct signal_ticks *ticks, struct image **images, size_t count,
		      bool counting);

/* The image has ended: counts what is left of it. */
void signal_ticks_end(struct signal_ticks *ticks, struct image *image);

/*
 * Says in the profile what could not be ticked, and what was sent if that is asked for. 0 or
 * -ENOMEM.
 */
int signal_ticks_describe(const struct signal_ticks *ticks, struct profile *profile);
