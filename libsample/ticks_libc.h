/* SPDX-License-Identifier: MIT */
/*
 * Ticks by the C library's own profil(3), as the reference to compare with: one histogram, 100 Hz,
 * one SIGPROF and ITIMER_PROF for the whole process.
 */
#pragma once

#include <stdbool.h>

#include "libsample/profil.h"

/* Hands @histogram's buffer to the C library. 0, -ENOSYS, or -EBUSY if SIGPROF is taken. */
int ticks_libc_start(const struct profil *histogram);

/* Stops for good because the program uses SIGPROF or ITIMER_PROF itself, and records it. */
void ticks_libc_give_way(void);

/* Around an exec: ITIMER_PROF survives it, and its signal would kill the new image. */
void ticks_libc_pause(void);
void ticks_libc_resume(void);
