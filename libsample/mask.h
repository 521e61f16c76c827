/* SPDX-License-Identifier: MIT */
/*
 * The tick signal stays deliverable whatever the program blocks, and the program sees the mask that
 * it set. Masks are words as in sets.h.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Our signal is never in the real mask: what the program believes it to be. Async-signal-safe. */
uint64_t mask_believed(uint64_t real);

/* The same of a mask that was never seen: sets are seldom made without our signal alone. */
uint64_t mask_guess(uint64_t real);

/* The calling thread has set its mask to what it believes is @believed. Async-signal-safe. */
void mask_note(uint64_t believed);

/* What the calling thread believes to be its mask; 0 while nothing ticks. Async-signal-safe. */
uint64_t mask_thread(void);

/* Whether it believes that it blocks our signal. Async-signal-safe. */
bool mask_thread_blocks(void);

/* The last masks that a thread set, as it believes them; the first is the newest. */
struct mask_memory {
	uint64_t masks[4];
};

/* Those of the calling thread, for one that it creates. Async-signal-safe. */
void mask_remember(struct mask_memory *ret_memory);

/* At the start of a thread whose creator had set @creator: makes our signal deliverable. */
void mask_thread_begin(const struct mask_memory *creator);

/*
 * In the main thread, once the handler stands: takes over a mask that was inherited through exec
 * and makes our signal deliverable.
 */
void mask_adopt(void);

/*
 * In the thread that moved ticks to another signal, and believed its mask to be @believed: the old
 * one is the program's again, blocked as it believes, and the new one is deliverable.
 */
void mask_moved(uint64_t believed);

/* Blocks our signal in the calling thread; returns whether it had been blocked. Async-signal-safe.
 */
bool mask_block(void);

/* Sets it back to what mask_block() returned. Async-signal-safe. */
void mask_restore(bool blocked);
