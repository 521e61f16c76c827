/* SPDX-License-Identifier: MIT */
/*
 * The calling thread's own mask, by system calls: no lock, no errno, usable before the C library.
 *
 * A mask also changes without a function of ours: when a handler begins and returns, by a jump out
 * of one, with a coroutine's context, and for the parent of a vfork(2), whose child sets its own
 * in the same memory. So what the program believes of our signal is not a bit, which would outlive
 * the mask that it belongs to, but is found by the real mask, among the last ones that it set.
 */

#include "libsample/mask.h"

#include <signal.h>
#include <stddef.h>

#include "libsample/sets.h"
#include "libsample/sys.h"
#include "libsample/ticker.h"

#define REMEMBERED (sizeof(memory.masks) / sizeof(*memory.masks))

/* The calling thread's. */
static _Thread_local struct mask_memory memory __attribute__((tls_model("initial-exec")));

static uint64_t ours(void)
{
	return set_ours(ticker_signal());
}

uint64_t mask_guess(uint64_t real)
{
	const uint64_t others = ~(SET_BIT(SIGRTMIN) - 1) & ~ours();

	return (real & others) == others ? real | ours() : real;
}

uint64_t mask_believed(uint64_t real)
{
	real &= ~ours();
	for (size_t i = 0; i < REMEMBERED; i++)
		if ((memory.masks[i] & ~ours()) == real)
			return memory.masks[i];
	return mask_guess(real);
}

void mask_note(uint64_t believed)
{
	if (memory.masks[0] == believed)
		return;
	for (size_t i = REMEMBERED - 1; i > 0; i--)
		memory.masks[i] = memory.masks[i - 1];
	memory.masks[0] = believed;
}

static uint64_t change(int how, uint64_t bits)
{
	uint64_t old = 0;

	sys_call(SYS_rt_sigprocmask, how, &bits, &old, sizeof(old));
	return old;
}

uint64_t mask_thread(void)
{
	return ticker_signal() ? mask_believed(change(SIG_BLOCK, 0)) : 0;
}

bool mask_thread_blocks(void)
{
	return (mask_thread() & ours()) != 0;
}

void mask_remember(struct mask_memory *ret_memory)
{
	*ret_memory = memory;
}

void mask_thread_begin(const struct mask_memory *creator)
{
	uint64_t real;

	if (!ticker_signal())
		return;
	memory = *creator;
	real = change(SIG_UNBLOCK, ours());
	/* Its attributes may say so. */
	if (real & ours())
		mask_note(real);
}

void mask_adopt(void)
{
	mask_note(change(SIG_UNBLOCK, ours()));
}

void mask_moved(uint64_t believed)
{
	change(SIG_SETMASK, believed & ~ours());
	mask_note(believed);
}

bool mask_block(void)
{
	return ticker_signal() && (change(SIG_BLOCK, ours()) & ours());
}

void mask_restore(bool blocked)
{
	if (ticker_signal() && !blocked)
		change(SIG_UNBLOCK, ours());
}
