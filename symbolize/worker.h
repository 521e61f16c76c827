/* SPDX-License-Identifier: MIT */
/* Threads that share the work of a question and are gone when it is answered. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Starts @run with @data, for pthread_join(). Signals are for those who started the program's work,
 * but for what a read of a file can raise. False when there can be no more threads.
 */
bool worker_start(pthread_t *ret_thread, void *(*run)(void *data), void *data);

/* How many threads can run at the same time, 1 at least. */
unsigned worker_count(void);

/* More would wait for memory, and for each other. */
#define WORKERS_MAX 8

/* How many threads to share @work among when each should have @least of it: 1 to WORKERS_MAX. */
size_t worker_shares(size_t work, size_t least);

/*
 * Calls @run for each of the @count <= WORKERS_MAX jobs of @size bytes at @jobs, all at the same
 * time where there can be threads for them, and returns when all are done.
 */
void worker_run_all(void *(*run)(void *job), void *jobs, size_t size, size_t count);
