/* SPDX-License-Identifier: MIT */
/*
 * What profrun is doing, on a terminal, while it takes long. A thread of its own draws the line
 * once a second has passed, so that whoever works need not look at clocks; the line goes when the
 * work has ended. Not for the time while a program runs: stderr is the program's then.
 */
#pragma once

#include <stdint.h>

/* Says nothing from now on. */
void progress_silence(void);

/* Begins work that is called so ("reading 'x.pb.gz'"); ends what was begun before. */
void progress_begin(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* How far it is; @all 0: nobody knows. */
void progress_tell(uint64_t done, uint64_t all);

void progress_end(void);
