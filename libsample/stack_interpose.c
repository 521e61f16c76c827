/* SPDX-License-Identifier: MIT */
/*
 * sigaltstack(2): a tick takes a signal frame, which is several kilobytes with the registers of
 * today. On an alternate stack that is in use it comes on top of the frame that is there already
 * (seen: a stack with room for one handler, which a tick in that handler overran), and on one that
 * is smaller than a frame the kernel ends the program.
 */

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/auxv.h>

#include "libsample/action.h"
#include "libsample/export.h"
#include "libsample/sys.h"
#include "libsample/ticker.h"

#define FRAME_MIN 2048 /* where the kernel does not say */
#define HANDLER	  1024 /* ours, several times over */
#define GUEST	  4096 /* what a handler of the program may use itself */

static size_t frame_size(void)
{
	size_t size = getauxval(AT_MINSIGSTKSZ);

	return size > FRAME_MIN ? size : FRAME_MIN;
}

EXPORT int sigaltstack(const stack_t *new_stack, stack_t *old_stack)
{
	int r = (int)sys_call(SYS_sigaltstack, new_stack, old_stack);

	if (r < 0) {
		errno = -r;
		return -1;
	}
	if (!new_stack || new_stack->ss_flags & SS_DISABLE)
		return 0;
	if (new_stack->ss_size < 2 * frame_size() + GUEST)
		action_spare_stacks();
	if (new_stack->ss_size < frame_size() + HANDLER)
		ticker_leave_stacks();
	return 0;
}
