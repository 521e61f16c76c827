/* SPDX-License-Identifier: MIT */
/* Whether this machine has what ticks by signals need. */
#pragma once

#include "symbolize/error.h"

/*
 * 0, or a negative errno with *err: the kernel must account for how often each thread was put on a
 * CPU, and the clock must answer in the program without a system call.
 */
int signal_permitted(struct error *err);
