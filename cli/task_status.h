/* SPDX-License-Identifier: MIT */
/* What the kernel tells of a thread, or of the first thread of a process, in /proc. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct task_status {
	uint64_t caught, blocked; /* signals: bit N - 1 for signal N */
	bool seccomp;		  /* its system calls are filtered */
	char state;		  /* 'R', 'S', 'Z', ... */
};

/* Of the thread @tid of @pid. False: it is not there (any more). */
bool task_status_read(pid_t pid, pid_t tid, struct task_status *ret_status);

/* Its CPU time in the kernel's clock ticks (100 a second); negative: it is not there. */
int64_t task_cpu_read(pid_t pid, pid_t tid);

/* How many threads @pid has; 0: none, or nobody may know. */
unsigned task_count(pid_t pid);

/* Calls @function with each thread of @pid, until it returns non-zero, which is returned. */
int task_each(pid_t pid, int (*function)(pid_t tid, void *data), void *data);

/* Calls @function with the thread that each timer of @pid signals, likewise. -ENOENT: not told. */
int task_each_timer(pid_t pid, int (*function)(pid_t tid, void *data), void *data);

/* Calls @function with each child that the thread @tid of @pid has made, likewise. */
int task_each_child(pid_t pid, pid_t tid, int (*function)(pid_t child, void *data), void *data);
