/* SPDX-License-Identifier: MIT */
/*
 * A look at where a thread is, with ptrace(2). The thread is attached, interrupted, read and let go
 * again within some ten microseconds: a tracer that stayed would stand between the program and its
 * signals, its stops, its children and its privileges. Nobody looks at a thread that sleeps, since
 * some calls (epoll_wait) do not go on after an interruption. One that falls asleep just then may
 * meet that, and one that reads without end (from /dev/zero) may be given less at once.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct ptrace_place {
	uint64_t pc;	/* in user memory */
	bool in_kernel; /* within a system call */
	bool is_32bit;
};

enum ptrace_result {
	PTRACE_SEEN,	/* *ret_place is filled, the thread goes on by itself */
	PTRACE_PENDING, /* attached, and not stopped yet: ptrace_look_again() */
	PTRACE_GONE,	/* it has ended */
	PTRACE_REFUSED, /* it may not be attached, or is another tracer's */
};

/* Looks at the thread @tid. @is_child: its end is the news of the caller's wait(2), not of this. */
enum ptrace_result ptrace_look(pid_t tid, bool is_child, struct ptrace_place *ret_place);

/* Of a pending one: tries once more. */
enum ptrace_result ptrace_look_again(pid_t tid, bool is_child, struct ptrace_place *ret_place);

/* Of a pending one that has stopped, as the caller's wait(2) says with @status. */
enum ptrace_result ptrace_look_stopped(pid_t tid, int status, struct ptrace_place *ret_place);
