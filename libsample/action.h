/* SPDX-License-Identifier: MIT */
/* The program's handlers, as interposed. */
#pragma once

/*
 * There is an alternate stack that has no room for a tick beside a handler: from now on handlers
 * that may run on one block our signal.
 */
void action_spare_stacks(void);
