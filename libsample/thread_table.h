/* SPDX-License-Identifier: MIT */
/*
 * The image's table of threads, for runs that keep them apart: each thread that is armed gets a
 * number, by which ticks name it (thread ids come again). Does nothing until thread_table_init().
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

struct arena_thread;

/* @threads has room for ARENA_THREADS; *count is how many there are. */
void thread_table_init(struct arena_thread *threads, _Atomic uint32_t *count);

/* The number of the new thread @tid, from 1 on; 0: nobody asked, or there is no room. */
uint32_t thread_table_add(int tid);

/* Notes the name of the calling thread. */
void thread_table_name(uint32_t number);

/* The calling thread ends: the name that it has now is its last. */
void thread_table_end(uint32_t number);
