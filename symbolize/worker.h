/* SPDX-License-Identifier: MIT */
/* Threads that share the work of a question and are gone when it is answered. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

/*
 * Starts @run with @data, for pthread_join(). Signals are for those who started the program's work,
 * but for what a read of a file can raise. False when there can be no more threads.
 */
bool worker_start(pthread_t *ret_thread, void *(*run)(void *data), void *data);

/* How many threads can run at the same time, 1 at least. */
unsigned worker_count(void);
