/* SPDX-License-Identifier: MIT */
/* A count for each process id. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

struct pid_counts {
	struct pid_count {
		pid_t pid; /* 0: free */
		unsigned count;
	} * entries; /* open addressing; a power of two of them */
	size_t used, room;
};

/* The count of @pid (greater than 0), made with 0 if it is new; NULL: no memory. Valid until the
 * next. */
unsigned *pid_counts_at(struct pid_counts *counts, pid_t pid);
void pid_counts_done(struct pid_counts *counts);
