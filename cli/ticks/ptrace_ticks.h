/* SPDX-License-Identifier: MIT */
/*
 * The tick source "ptrace": for programs that no preload can enter, where the kernel's clock is
 * refused. At random moments, the rate apart on average, profrun looks at every thread that runs;
 * what is seen stands for the CPU time that the thread has used since it was seen before, by its
 * own clock. So shares and totals are right at any rate, but a process that ends before it is found
 * (in /proc, among the children of those that are known) has no ticks.
 *
 * What is found is told as the records of the kernel's clock would tell it, to the same follower.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/ticks/kernel_follow.h"

struct ptrace_ticks;

/* NULL: out of memory. @follow has begun with the target and stays the caller's. */
struct ptrace_ticks *ptrace_ticks_new(struct kernel_follow *follow, unsigned rate);
void ptrace_ticks_free(struct ptrace_ticks *ticks);

/* Looks at all threads. Returns the milliseconds until the next time. */
int ptrace_ticks_work(struct ptrace_ticks *ticks);

/*
 * The target has stopped, as wait(2) says with @status. True: it was profrun that stopped it, and
 * it goes on.
 */
bool ptrace_ticks_stopped(struct ptrace_ticks *ticks, int status);

/* How many processes could not be looked at. */
size_t ptrace_ticks_refused(const struct ptrace_ticks *ticks);
