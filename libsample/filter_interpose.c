/* SPDX-License-Identifier: MIT */
/*
 * prctl(2), and seccomp(2) by syscall(2), as libseccomp makes it: a program that gives up new
 * privileges, or sets a filter, is about to have its system calls looked at, and what a filter does
 * not know may kill. From then on nothing of ours is called at a fork, nor at the start or end of a
 * thread. Where there is no filter after all, profrun finds those that use CPU time and summons
 * them.
 *
 * A tick goes on, whatever the filter, until its handler returns, which is a system call too. Most
 * filters know it; of a process that sets another one ticks end before.
 */

#include "libsample/filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "libsample/export.h"
#include "libsample/fork.h"
#include "libsample/image.h"
#include "libsample/next.h"
#include "libsample/probe.h"
#include "libsample/timers.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

#if defined(__x86_64__)
#define OUR_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

typedef long call_function(long, long, long, long, long, long, long);

static int (*real_prctl)(int option, ...);

/* For syscall_interpose.S: makes a call that may set a filter, and where every other call goes. */
call_function filter_make_call;
static call_function make_first_call;
call_function *filter_real_syscall = make_first_call;

void filter_resolve(void)
{
	*(void **)&real_prctl = next_find("prctl");
	*(void **)&filter_real_syscall = next_find("syscall");
}

/* A constructor that ran before ours may come here. */
static long make_first_call(long number, long a, long b, long c, long d, long e, long f)
{
	filter_resolve();
	return filter_real_syscall(number, a, b, c, d, e, f);
}

/* Whether the condition of a jump holds; false also for what is no such jump. */
static bool jumps(const struct sock_filter *step, uint32_t value)
{
	switch (BPF_OP(step->code)) {
	case BPF_JEQ:
		return value == step->k;
	case BPF_JGT:
		return value > step->k;
	case BPF_JGE:
		return value >= step->k;
	case BPF_JSET:
		return (value & step->k) != 0;
	default:
		return false;
	}
}

/* Takes one step of a filter. Returns false at its end, and where it looks at anything else. */
static bool take_step(const struct sock_filter **step, uint32_t *value)
{
	const struct sock_filter *at = (*step)++;

	if (at->code == (BPF_LD | BPF_W | BPF_ABS)) {
		*value = at->k == offsetof(struct seccomp_data, nr) ? SYS_rt_sigreturn
								    : OUR_AUDIT_ARCH;
		return at->k <= offsetof(struct seccomp_data, arch);
	}
	if (BPF_CLASS(at->code) != BPF_JMP || BPF_SRC(at->code) != BPF_K)
		return false;
	if (BPF_OP(at->code) == BPF_JA)
		*step += at->k;
	else
		*step += jumps(at, *value) ? at->jt : at->jf;
	return true;
}

/* Whether a filter lets a handler return, whatever the registers hold. */
static bool lets_return(const struct sock_fprog *program)
{
	const struct sock_filter *step = program->filter, *end = step + program->len;
	uint32_t value = 0, action;

	while (step < end && take_step(&step, &value))
		;
	/* The last step that was taken stands before this one. */
	if (step == program->filter || step > end || step[-1].code != (BPF_RET | BPF_K))
		return false;
	action = step[-1].k & SECCOMP_RET_ACTION_FULL;
	return action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG;
}

static void leave_alone(void)
{
	fork_leave_alone();
	timers_leave_alone();
}

/* In the child of a vfork there are no timers; they are its parent's. */
static void stop_ticks(void)
{
	if (!image_is_own() || !image_current()->signal)
		return;
	timers_disarm_all();
	image_signal_moved(0); /* so that profrun asks for none either */
	probe_settle();
	image_record(ARENA_REASON_FILTERED, 0);
}

/* Without a program it is a question whether there are filters. */
static void before_filter(const struct sock_fprog *program)
{
	if (!program)
		return;
	leave_alone();
	if (!lets_return(program))
		stop_ticks();
}

static void before_prctl(int option, unsigned long first, unsigned long second)
{
	/* These take away the clock by which probes are answered. */
	if (probe_may_come() &&
	    (option == PR_SET_TSC || (option == PR_SET_SECCOMP && first == SECCOMP_MODE_STRICT)))
		stop_ticks();
	if (option == PR_SET_NO_NEW_PRIVS ||
	    (option == PR_SET_SECCOMP && first == SECCOMP_MODE_STRICT))
		leave_alone();
	else if (option == PR_SET_SECCOMP && first == SECCOMP_MODE_FILTER)
		before_filter((const struct sock_fprog *)second);
	else if (option == PR_SET_SYSCALL_USER_DISPATCH && first != 0)
		stop_ticks();
}

long filter_make_call(long number, long a, long b, long c, long d, long e, long f)
{
	if (number == SYS_prctl)
		before_prctl((int)a, (unsigned long)b, (unsigned long)c);
	else if ((unsigned)a == SECCOMP_SET_MODE_FILTER)
		before_filter((const struct sock_fprog *)c);
	return filter_real_syscall(number, a, b, c, d, e, f);
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
	before_prctl(option, arguments[0], arguments[1]);
	return real_prctl(option, arguments[0], arguments[1], arguments[2], arguments[3]);
}
