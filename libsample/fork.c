/* SPDX-License-Identifier: MIT */
/*
 * The kernel restarts a fork from the beginning when a signal arrives, and copying the page tables
 * of a large process takes longer than a tick. pthread_atfork(3) also covers the forks that the C
 * library makes inside (daemon, forkpty), which interposing fork() would not see.
 */

#include "libsample/fork.h"

#include <pthread.h>
#include <stdbool.h>

#include "libsample/mask.h"
#include "libsample/region.h"
#include "libsample/timers.h"

static void (*run_before)(void), (*run_in_child)(void);
static _Thread_local bool was_blocked __attribute__((tls_model("initial-exec")));

static void prepare(void)
{
	was_blocked = mask_block();
	if (run_before)
		run_before();
}

static void in_parent(void)
{
	mask_restore(was_blocked);
}

void fork_child(void)
{
	region_fork_child();
	timers_fork_child();
	run_in_child();
}

static void in_child(void)
{
	fork_child();
	mask_restore(was_blocked);
}

void fork_install(void (*before)(void), void (*child)(void))
{
	run_before = before;
	run_in_child = child;
	pthread_atfork(prepare, in_parent, in_child);
}
