/* SPDX-License-Identifier: MIT */
/*
 * prctl(2): a program that gives up new privileges, or sets a filter, is about to have its system
 * calls looked at, and what a filter does not know may kill. From then on nothing of ours is called
 * at a fork, nor at the start or end of a thread. Where there is no filter after all, profrun finds
 * those that use CPU time and summons them.
 */

#include "libsample/filter.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <sys/prctl.h>

#include "libsample/export.h"
#include "libsample/fork.h"
#include "libsample/timers.h"

static int (*real_prctl)(int option, ...);

void filter_resolve(void)
{
	*(void **)&real_prctl = dlsym(RTLD_NEXT, "prctl");
}

EXPORT int prctl(int option, ...)
{
	unsigned long arguments[4];
	va_list list;

	va_start(list, option);
	for (int i = 0; i < 4; i++)
		arguments[i] = va_arg(list, unsigned long);
	va_end(list);
	if (!real_prctl)
		filter_resolve();
	if (option == PR_SET_NO_NEW_PRIVS || option == PR_SET_SECCOMP) {
		fork_leave_alone();
		timers_leave_alone();
	}
	return real_prctl(option, arguments[0], arguments[1], arguments[2], arguments[3]);
}
