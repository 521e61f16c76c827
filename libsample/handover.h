/* SPDX-License-Identifier: MIT */
/*
 * The arena's descriptor by a socket, for images that cannot open it in /proc. profrun listens at
 * an abstract address and gives the descriptor to whoever sends the nonce.
 */
#pragma once

#include <stdint.h>

/*
 * Asks the profrun with @pid. A descriptor, with the caller's own pid as profrun sees it, or a
 * negative errno; waits half a second at most.
 */
int handover_receive(unsigned pid, uint64_t nonce, uint32_t *ret_own_pid);
