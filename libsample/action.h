/* SPDX-License-Identifier: MIT */
/* The program's handlers, as interposed. */
#pragma once

#include <stdbool.h>

/*
 * There is an alternate stack that has no room for a tick beside a handler: from now on handlers
 * that may run on one block our signal.
 */
void action_spare_stacks(void);

/*
 * The C library is about to change the action for @signal: ticks have another signal then. False:
 * there is no other.
 */
bool action_make_room(int signal);
