/* SPDX-License-Identifier: MIT */
/*
 * ptrace(2): a debugger is told of every signal before its process has it, and most stop there. A
 * process that is about to be traced has no ticks any more, and what it becomes by exec gets none.
 */

#include <stdarg.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "libsample/export.h"
#include "libsample/image.h"
#include "libsample/next.h"
#include "libsample/sys.h"
#include "libsample/timers.h"

/* In the child of a vfork there are no timers; they are its parent's. */
static void stop_ticks(void)
{
	image_mark_traced((uint32_t)sys_call(SYS_getpid), true);
	if (!image_is_own() || !image_current()->signal)
		return;
	timers_disarm_all();
	image_signal_moved(0); /* so that profrun asks for none either */
}

EXPORT long ptrace(enum __ptrace_request request, ...)
{
	long (*real)(enum __ptrace_request, ...);
	void *address, *data;
	va_list list;
	pid_t pid;
	long r;

	va_start(list, request);
	pid = va_arg(list, pid_t);
	address = va_arg(list, void *);
	data = va_arg(list, void *);
	va_end(list);
	*(void **)&real = next_find("ptrace");
	if (request == PTRACE_TRACEME)
		stop_ticks();
	else if (request == PTRACE_ATTACH || request == PTRACE_SEIZE)
		image_mark_traced((uint32_t)pid, true);
	r = real(request, pid, address, data);
	if (request == PTRACE_DETACH)
		image_mark_traced((uint32_t)pid, false);
	return r;
}
