/* SPDX-License-Identifier: MIT */
/* The threads of a process as the kernel's records tell them, in runs that keep them apart. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/profile/profile.h"

struct kernel_thread {
	pid_t tid;
	uint32_t number; /* in the profile, 0: it has no ticks yet */
	char name[16];
};

struct kernel_threads {
	struct kernel_thread *threads; /* those that have not ended, sorted by tid */
	size_t count, room;
};

void kernel_threads_done(struct kernel_threads *threads);

/* A thread is called @name from now on, a new one if it is not known. 0 or -ENOMEM. */
int kernel_threads_name(struct kernel_threads *threads, struct profile *profile, pid_t tid,
			const char *name);

/* The name of a thread; "" if it is not known. */
const char *kernel_threads_find_name(const struct kernel_threads *threads, pid_t tid);

/* A thread has ended: its id may come again. */
void kernel_threads_remove(struct kernel_threads *threads, pid_t tid);

/* The number in @profile of the thread, which is of the process at index @process; or -ENOMEM. */
int64_t kernel_threads_number(struct kernel_threads *threads, struct profile *profile,
			      uint32_t process, pid_t tid);
