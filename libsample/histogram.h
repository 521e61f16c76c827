/* SPDX-License-Identifier: MIT */
/* Counting in one histogram: profil(3)'s arithmetic, exact for every scale and without overflow. */
#pragma once

#include "libsample/profil.h"

/* Sets buffer, scale and the range [start, end) of program counters that have an entry. */
void histogram_init(struct profil *histogram, unsigned short *buf, size_t bufsiz, size_t offset,
		    unsigned int scale);

/*
 * Adds @weight to the entry of @pc, which must lie in [start, end). An entry that wraps is carried,
 * or saturates if there is no carry list. Async-signal-safe, any number of threads at once.
 */
void histogram_count(struct profil *histogram, uintptr_t pc, uint64_t weight);
