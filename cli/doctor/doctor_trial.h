/* SPDX-License-Identifier: MIT */
/* Small experiments on this machine: whether what a run needs does work. */
#pragma once

#include "symbolize/error.h"

/* Profiles true(1). 0, or a negative errno with *err. */
int doctor_try_preload(struct error *err);

/*
 * Uses some CPU time under a timer of it: the share of the expected ticks that came, or a negative
 * errno.
 */
double doctor_try_timer(void);

/* Traces a child. 0 or a negative errno. */
int doctor_try_ptrace(void);
