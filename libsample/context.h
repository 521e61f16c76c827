/* SPDX-License-Identifier: MIT */
/* The registers of the code that a signal interrupted. Async-signal-safe. */
#pragma once

#include <stdint.h>
#include <ucontext.h>

static inline uintptr_t context_pc(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
	return (uintptr_t)context->uc_mcontext.pc;
#endif
}

/* What a system call is about to return, if the interrupted code stands behind one. */
static inline long context_result(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (long)context->uc_mcontext.gregs[REG_RAX];
#else
	return (long)context->uc_mcontext.regs[0];
#endif
}
