/* SPDX-License-Identifier: MIT */
/*
 * Files are mapped, so that only what is looked at is read. Whoever cuts such a file short makes
 * the next look at it a SIGBUS. While something is guarded, that signal is caught: from the fault
 * on the mapping reads as zeros, and the cut is counted.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct guard;

/* Guards a mapping; NULL when there are too many already. Thread safe, as all of these. */
struct guard *guard_new(const void *start, size_t size);

/* To be called before the mapping goes; @guard may be NULL. */
void guard_free(struct guard *guard);

/* How many cuts this process has met: when it grows, what was read meanwhile is not to be used. */
unsigned guard_cuts(void);
