/* SPDX-License-Identifier: MIT */
/* The instruction before the pc, and the registers that a system call leaves alone. */

#include "libsample/late.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)

static bool after_system_call(const ucontext_t *context)
{
	const uint8_t *pc = (const uint8_t *)context->uc_mcontext.gregs[REG_RIP];
	static const uint8_t instruction[2] = {0x0f, 0x05};

	return memcmp(pc - 2, instruction, 2) == 0 || memcmp(pc, instruction, 2) == 0;
}

/* rt_sigprocmask(how, set, old set, 8) that succeeded; its number is gone from rax by now. */
static bool changed_mask(const ucontext_t *context)
{
	const greg_t *registers = context->uc_mcontext.gregs;

	return registers[REG_RAX] == 0 && registers[REG_R10] == 8 &&
	       (uint32_t)registers[REG_RDI] <= SIG_SETMASK;
}

#else

static bool after_system_call(const ucontext_t *context)
{
	const uint32_t *pc = (const uint32_t *)context->uc_mcontext.pc;
	const uint32_t instruction = 0xd4000001; /* svc #0 */

	return pc[-1] == instruction || pc[0] == instruction;
}

/* The number of the call is still in x8. */
static bool changed_mask(const ucontext_t *context)
{
	return context->uc_mcontext.regs[8] == 135;
}

#endif

bool late_in_kernel(const ucontext_t *context)
{
	return after_system_call(context) && !changed_mask(context);
}
