/* SPDX-License-Identifier: MIT */
/*
 * Ticks that come late. A signal that was blocked is delivered when it is unblocked, with all the
 * time since, on an instruction that had nothing to do with it (seen: 109 ticks on the call that
 * unblocks). A long system call delays its ticks too, but those are its own.
 */
#pragma once

#include <stdbool.h>
#include <ucontext.h>

/*
 * Whether the thread interrupted at @context was in a system call that explains a delay: any but
 * the one that changes the signal mask. Reads the text at the pc, which must be readable.
 * Async-signal-safe.
 */
bool late_in_kernel(const ucontext_t *context);
