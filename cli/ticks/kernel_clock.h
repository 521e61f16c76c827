/* SPDX-License-Identifier: MIT */
/*
 * The kernel's software clock on every CPU that the target may use, with a ring buffer for each.
 *
 * There are two ways to have it. Where it is permitted, one free-running clock per CPU samples
 * whoever runs there, and profrun keeps what belongs to the target: a thread of any length, at any
 * age, in any program has its share. Elsewhere the events are inherited from the target by its
 * threads and children; each starts a period of its own, so that what is shorter than a period is
 * never seen, and always the same ages are. That clock runs four times as fast, and three of four
 * samples are dropped.
 *
 * Measured, 200 threads of 20 ms at 100 Hz: inherited, 72 % of the CPU time was covered; with one
 * clock per CPU all of it. Setting up takes 0.13 ms, of inherited events 10 ms (the first of a
 * machine waits until every CPU knows of it): one more reason to prefer the clock per CPU.
 *
 * Periods are not round and differ by CPU, so that no program is in step with them. The clock per
 * CPU runs a few per cent faster than the rate: kernel_process.h takes whole ticks from what its
 * samples stand for.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "cli/ticks/kernel_ring.h"
#include "symbolize/error.h"

struct kernel_clock {
	struct kernel_ring *rings;
	size_t count;
	bool whole_cpu; /* a clock per CPU; false: inherited by the target's threads */
	bool user_only; /* nothing in the kernel is sampled */
};

/*
 * Whether one clock per CPU may be had, the kind that is right for any program and costs no time to
 * set up. One system call; 0, or a negative errno with *err.
 */
int kernel_clock_permitted(struct error *err);

/*
 * Where that is refused: whether a program's threads may have clocks of their own, if only for what
 * they do outside of the kernel. Two system calls at most.
 */
bool kernel_clock_permitted_in_part(void);

/*
 * Opens the best clock that is permitted for the process @pid, which has not executed the target
 * yet, with @rate ticks per second. 0, or a negative errno with *err. Descriptors that become
 * readable when a ring fills are added to the epoll descriptor @poll_fd.
 */
int kernel_clock_open(struct kernel_clock *clock, pid_t pid, unsigned rate, int poll_fd,
		      struct error *err);
void kernel_clock_close(struct kernel_clock *clock);
