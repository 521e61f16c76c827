/* SPDX-License-Identifier: MIT */
/*
 * The arena's descriptor by a socket, for images that cannot open it in /proc. profrun listens at
 * an abstract address and gives the descriptor to whoever sends the nonce.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

/*
 * Writes the address's name (without the leading NUL) for the profrun with @pid. The nonce is only
 * hinted at: the address is public.
 */
static inline int handover_name(char *name, size_t size, unsigned pid, uint64_t nonce)
{
	return snprintf(name, size, "profrun-%u-%06x", pid,
			(unsigned)(nonce * UINT64_C(0x9e3779b97f4a7c15) >> 40));
}

/*
 * Asks the profrun with @pid. A descriptor, with the caller's own pid as profrun sees it, or a
 * negative errno; waits half a second at most.
 */
int handover_receive(unsigned pid, uint64_t nonce, uint32_t *ret_own_pid);
