/* SPDX-License-Identifier: MIT */
/*
 * The kernel restarts a fork from the beginning when a signal arrives, and copying the page tables
 * of a large process takes longer than a tick. pthread_atfork(3) also covers the forks that the C
 * library makes inside (daemon, forkpty), which interposing fork() would not see.
 */

#include "libsample/fork.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "libsample/mask.h"
#include "libsample/region.h"
#include "libsample/timers.h"

static void (*run_before)(void), (*run_in_child)(void);
static _Atomic bool left_alone;
static _Thread_local bool was_blocked __attribute__((tls_model("initial-exec")));

static void prepare(void)
{
	/* The C library changes the mask around a fork as well. */
	was_blocked = mask_block();
	if (run_before && !atomic_load(&left_alone))
		run_before();
}

static void in_parent(void)
{
	mask_restore(was_blocked);
}

/* Makes no system call. */
static void forget_parent(void)
{
	region_fork_child();
	timers_fork_child();
}

void fork_child(void)
{
	forget_parent();
	run_in_child();
}

static void in_child(void)
{
	if (atomic_load(&left_alone))
		forget_parent();
	else
		fork_child();
	mask_restore(was_blocked);
}

void fork_leave_alone(void)
{
	atomic_store(&left_alone, true);
}

void fork_install(void (*before)(void), void (*child)(void))
{
	run_before = before;
	run_in_child = child;
	pthread_atfork(prepare, in_parent, in_child);
}
