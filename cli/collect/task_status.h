/* SPDX-License-Identifier: MIT */
/* What /proc tells of other processes and their threads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct task_status {
	uint64_t caught, blocked; /* signals: bit N - 1 for signal N */
	bool seccomp;		  /* its system calls are filtered */
	char state;		  /* 'R', 'S', 'Z', ... */
};

/* Of the thread @tid of @pid. False: it is not there (any more). */
bool task_status_read(pid_t pid, pid_t tid, struct task_status *ret_status);

/* CPU times in the kernel's clock ticks (100 a second). */
struct task_stat {
	char state; /* 'R', 'S', 'Z', ... */
	uint64_t user, system;
	uint64_t waited_user, waited_system; /* of children that were waited for */
};

/* Of the thread @tid of @pid; 0: of all of its threads, ended ones too. False: it is not there. */
bool task_stat_read(pid_t pid, pid_t tid, struct task_stat *ret_stat);

/* How many threads @pid has; 0: none, or nobody may know. */
unsigned task_count(pid_t pid);

/* Calls @function with each thread of @pid, until it returns non-zero, which is returned. */
int task_each(pid_t pid, int (*function)(pid_t tid, void *data), void *data);

/* Calls @function with the thread that each timer of @pid signals, likewise. -ENOENT: not told. */
int task_each_timer(pid_t pid, int (*function)(pid_t tid, void *data), void *data);

/* Calls @function with each child that the thread @tid of @pid has made, likewise. */
int task_each_child(pid_t pid, pid_t tid, int (*function)(pid_t child, void *data), void *data);

/* Nanoseconds that the thread has run, and waited for a CPU. False: it is gone. */
bool task_clock_read(pid_t pid, pid_t tid, uint64_t *ret_ran, uint64_t *ret_waited);

/* Tells one executable from another. */
struct task_program {
	dev_t device;
	ino_t inode;
};

/*
 * The program that @pid executes (0: profrun's own). 0, or a negative errno: -ENOENT, -ESRCH when
 * the process has ended, -EACCES when its program is nobody else's business.
 */
int task_program_read(pid_t pid, struct task_program *ret_program);

/* The thread's name as the kernel keeps it; "" when it is gone. */
void task_name_read(pid_t pid, pid_t tid, char *name, size_t size);
