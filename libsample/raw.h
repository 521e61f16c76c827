/* SPDX-License-Identifier: MIT */
/* The table of program counters that lie in no histogram: plugins, JIT code, remapped text. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct arena_raw;

/*
 * Adds @weight to the entry of @pc among @size (a power of two, 256 at least), making it (and
 * counting it in @used, unless that is NULL) if it is new; false if its neighbourhood is full.
 * Async-signal-safe, lock-free.
 */
bool raw_tick(struct arena_raw *table, uint32_t size, _Atomic uint32_t *used, uint64_t pc,
	      uint64_t weight);
