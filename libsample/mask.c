/* SPDX-License-Identifier: MIT */
/* The calling thread's own mask, by system calls: no lock, no errno, usable before the C library.
 */

#include "libsample/mask.h"

#include <signal.h>
#include <stdint.h>

#include "libsample/sets.h"
#include "libsample/sys.h"
#include "libsample/ticker.h"

_Thread_local bool mask_believed __attribute__((tls_model("initial-exec")));

bool mask_thread_blocks(void)
{
	return mask_believed;
}

static bool change(int how, uint64_t bits)
{
	uint64_t old = 0;

	sys_call(SYS_rt_sigprocmask, how, &bits, &old, sizeof(old));
	return (old & bits) != 0;
}

void mask_thread_begin(bool blocked)
{
	if (!ticker_signal())
		return;
	mask_believed = blocked;
	change(SIG_UNBLOCK, SET_BIT(ticker_signal()));
}

void mask_adopt(void)
{
	mask_believed = change(SIG_UNBLOCK, SET_BIT(ticker_signal()));
}

void mask_moved(int old, bool blocked)
{
	mask_adopt();
	change(blocked ? SIG_BLOCK : SIG_UNBLOCK, SET_BIT(old));
}

bool mask_block(void)
{
	return ticker_signal() && change(SIG_BLOCK, SET_BIT(ticker_signal()));
}

void mask_restore(bool blocked)
{
	if (ticker_signal() && !blocked)
		change(SIG_UNBLOCK, SET_BIT(ticker_signal()));
}
