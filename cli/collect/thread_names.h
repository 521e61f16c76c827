/* SPDX-License-Identifier: MIT */
/*
 * The names of a process's threads, looked at now and then while it runs: a thread may take its
 * name whenever it likes, and tells nobody.
 */
#pragma once

#include <sys/types.h>

struct thread_names;

struct thread_names *thread_names_new(void);
void thread_names_free(struct thread_names *names);

/*
 * Looks at the threads of @pid; threads that live long are looked at less often. 0 or -ENOMEM.
 */
int thread_names_look(struct thread_names *names, pid_t pid);

/* The name that @tid had when it was looked at last, or NULL. */
const char *thread_names_find(const struct thread_names *names, pid_t tid);
