/* SPDX-License-Identifier: MIT */
/*
 * The active histograms, as an immutable table sorted by address that the tick handler searches.
 * A change makes a new table and publishes it; it returns when no handler uses the old one.
 */
#pragma once

#include <stdbool.h>

#include "libsample/profil.h"

/* Makes @histogram count. 0 or -ENOMEM. Not async-signal-safe. */
int region_add(struct profil *histogram);

/* Ends it: when this returns, no thread touches its buffer again. Not async-signal-safe. */
void region_remove(struct profil *histogram);

/* How many histograms are active. Async-signal-safe. */
size_t region_count(void);

/* Counts @weight in every histogram whose range holds @pc; false: in none. Async-signal-safe. */
bool region_tick(uintptr_t pc, uint64_t weight);

/* Whether @pc lies in any histogram's range. Async-signal-safe. */
bool region_holds(uintptr_t pc);

/* Forgets all histograms, without waiting: only where no other thread exists. */
void region_clear(void);

/* In the child of a fork: handlers of other threads that were under way do not exist here. */
void region_fork_child(void);
