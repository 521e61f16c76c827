/* SPDX-License-Identifier: MIT */
/*
 * A POSIX timer in each thread, on that thread's own CPU clock, by the schedules of schedule.h. The
 * signal is the ticker's.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "libsample/slots.h"

struct schedule;

/* Sets @rate, ticks per second of CPU time. */
void timers_init(unsigned rate);

/* Where to count the threads that are armed; by default nowhere that anybody looks. */
void timers_count_in(_Atomic uint32_t *armed);

/*
 * Whether an expiry can make a system call return EINTR. Since Linux 5.9 CPU timers expire in task
 * work on the way back to the program (kernel/time/posix-cpu-timers.c), when the call is over.
 */
bool timers_interrupt_calls(void);

/* The schedule of that rate. Async-signal-safe. */
const struct schedule *timers_schedule(void);

/*
 * Takes the whole ticks out of the credit of @slot after that many expiries. Only the thread of the
 * slot does, but a signal that an earlier timer left may meet the record being set up again.
 * Async-signal-safe.
 */
uint64_t timers_take_ticks(struct slot *slot, uint64_t expiries);

/* Arms the calling thread, whose signal mask is the caller's business. 0 or a negative errno. */
int timers_arm(void);

/*
 * In the handler of a thread that nobody armed: does so, unless it is done. Its thread-local
 * storage may be no such thing, and is not touched. 0 or a negative errno. Async-signal-safe.
 */
int timers_arm_summoned(void);

/* Arms every thread of the process that is not armed yet; threads that come later arm themselves.
 */
int timers_arm_all(void);

/* Deletes all timers. */
void timers_disarm_all(void);

/*
 * At a thread's start and end, in that thread; does nothing while no thread is to tick. Safe
 * against timers_arm_all() and timers_disarm_all() in other threads. The start: 0 or a negative
 * errno.
 */
int timers_thread_start(void);
void timers_thread_end(void);

/* Says that threads are armed by themselves from now on, without looking for others. */
void timers_arm_new_threads(void);

/* In the child of a fork: no thread is armed, none arms itself. */
void timers_fork_child(void);

/*
 * From now on threads start and end without a system call of ours, which might kill. The timers of
 * those that end go with the process.
 */
void timers_leave_alone(void);

/* The signal is another one now: timers are made anew. */
void timers_move(void);
