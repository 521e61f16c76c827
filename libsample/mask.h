/* SPDX-License-Identifier: MIT */
/*
 * The tick signal stays deliverable whatever the program blocks, and the program sees the mask that
 * it set: one bit for each thread remembers what it believes of our signal.
 */
#pragma once

#include <stdbool.h>

/* Whether the calling thread believes that it blocks our signal. Async-signal-safe. */
bool mask_thread_blocks(void);

/* At the start of a thread whose creator believed @blocked: makes our signal deliverable. */
void mask_thread_begin(bool blocked);

/*
 * In the main thread, once the handler stands: takes over a mask that was inherited through exec
 * and makes our signal deliverable.
 */
void mask_adopt(void);

/*
 * In the thread that moved ticks away from @old: that signal is the program's again, blocked as it
 * believes, and the new one is deliverable.
 */
void mask_moved(int old, bool blocked);

/* Blocks our signal in the calling thread; returns whether it had been blocked. Async-signal-safe.
 */
bool mask_block(void);

/* Sets it back to what mask_block() returned. Async-signal-safe. */
void mask_restore(bool blocked);

/* What the calling thread believes of our signal; for the functions that change masks. */
extern _Thread_local bool mask_believed __attribute__((tls_model("initial-exec")));
