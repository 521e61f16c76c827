/* SPDX-License-Identifier: MIT */
/* Signal sets as the kernel and the C library lay them out: bit N - 1 of the first word for signal
 * N. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SET_BIT(signal) (UINT64_C(1) << ((signal)-1))

/* The C library keeps two signals for itself and takes them out of every set (nptl: SIGCANCEL,
 * SIGSETXID). */
#define SET_LIBRARY (SET_BIT(32) | SET_BIT(33))

static inline uint64_t set_bits(const sigset_t *set)
{
	uint64_t bits;

	memcpy(&bits, set, sizeof(bits));
	return bits;
}

static inline void set_from_bits(sigset_t *set, uint64_t bits)
{
	memcpy(set, &bits, sizeof(bits));
}

/* The tick signal's bit; 0 while there is none. */
static inline uint64_t set_ours(int tick_signal)
{
	return tick_signal ? SET_BIT(tick_signal) : 0;
}
