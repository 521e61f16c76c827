/* SPDX-License-Identifier: MIT */
/* What /proc tells of other processes: their clocks, their programs, the names of their threads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Nanoseconds that the thread has run, and waited for a CPU. False: it is gone. */
bool proc_task_clock(pid_t pid, pid_t tid, uint64_t *ret_ran, uint64_t *ret_waited);

/* Tells one executable from another. */
struct proc_program {
	dev_t device;
	ino_t inode;
};

/*
 * The program that @pid executes (0: profrun's own). 0, or a negative errno: -ENOENT, -ESRCH when
 * the process has ended, -EACCES when its program is nobody else's business.
 */
int proc_task_program(pid_t pid, struct proc_program *ret_program);

/* The thread's name as the kernel keeps it; "" when it is gone. */
void proc_task_name(pid_t pid, pid_t tid, char *name, size_t size);
