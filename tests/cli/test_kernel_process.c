/* SPDX-License-Identifier: MIT */
/* The table of processes, and whole ticks from what samples stand for. */

#include "cli/ticks/kernel_process.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

#define TICK   10000000
#define PERIOD 9400000

static struct kernel_processes processes;

static struct kernel_process *begin(void)
{
	kernel_processes_init(&processes, TICK);
	return kernel_process_add(&processes, 42, NULL);
}

static uint64_t ticks_of(struct kernel_process *process, unsigned samples)
{
	uint64_t ticks = 0;

	for (unsigned i = 0; i < samples; i++)
		ticks += kernel_process_weigh(&processes, process, PERIOD);
	return ticks;
}

Test(kernel_process, ticks_are_what_samples_stand_for)
{
	struct kernel_process *process = begin();

	cr_assert_leq(llabs((int64_t)ticks_of(process, 1000) - 940), 1);
	kernel_processes_done(&processes);
}

Test(kernel_process, the_one_sample_of_a_short_process_is_a_tick_as_often_as_is_right)
{
	uint64_t ticks = 0;

	kernel_processes_init(&processes, TICK);
	for (int i = 1; i <= 10000; i++)
		ticks += ticks_of(kernel_process_add(&processes, i, NULL), 1);
	/* 10000 draws of 0.94: six sigma are 143. */
	cr_assert_leq(llabs((int64_t)ticks - 9400), 143);
	kernel_processes_done(&processes);
}

Test(kernel_process, a_small_difference_to_its_clock_is_left_alone)
{
	struct kernel_process *process = begin();

	ticks_of(process, 100);
	process->clock = 100 * (uint64_t)PERIOD + TICK;
	kernel_process_settle(&processes, process);
	cr_assert_eq(process->owed, 0);
	kernel_processes_done(&processes);
}

/* Its clock runs at @speed times what its samples stand for. */
static void follow_clock(struct kernel_process *process, double speed)
{
	double lag = 10 * PERIOD * (speed > 1 ? speed - 1 : 1 - speed);
	uint64_t ticks = 0;

	for (unsigned round = 1; round <= 100; round++) {
		ticks += ticks_of(process, 10);
		process->clock = (uint64_t)(speed * round * 10 * PERIOD);
		kernel_process_settle(&processes, process);
	}
	ticks += ticks_of(process, 10);
	cr_assert_leq(llabs((int64_t)ticks * TICK - (int64_t)(speed * 1010 * PERIOD)),
		      (int64_t)lag + 3 * TICK);
}

Test(kernel_process, ticks_follow_a_clock_that_is_faster)
{
	follow_clock(begin(), 1.3);
	kernel_processes_done(&processes);
}

Test(kernel_process, ticks_follow_a_clock_that_is_slower)
{
	follow_clock(begin(), 0.6);
	kernel_processes_done(&processes);
}

Test(kernel_process, reads_the_clock_of_one_that_runs)
{
	struct kernel_process *process;

	kernel_processes_init(&processes, 1000);
	process = kernel_process_add(&processes, getpid(), NULL);
	kernel_process_read_clock(&processes, process);
	cr_assert_eq(process->clock, 0, "not before it has ticks");
	ticks_of(process, 10);
	kernel_process_read_clock(&processes, process);
	cr_assert_gt(process->clock, 0);
	kernel_processes_done(&processes);
}

Test(kernel_process, a_child_has_its_parents_memory_until_it_executes)
{
	struct kernel_process *parent = begin(), *child;
	const struct kernel_mapping mapping = {.start = 0x1000, .end = 0x2000, .text = 3};

	cr_assert_eq(kernel_maps_add(&parent->maps, &mapping), 0);
	child = kernel_process_add(&processes, 43, parent);
	cr_assert_eq(kernel_process_find(&processes, 43), child);
	cr_assert_eq(kernel_maps_find(child->maps, 0x1000)->text, 3);
	cr_assert_eq(kernel_process_exec(child, "another", 5), 0);
	cr_assert_null(kernel_maps_find(child->maps, 0x1000));
	cr_assert_str_eq(child->name, "another");
	cr_assert_eq(kernel_maps_find(parent->maps, 0x1000)->text, 3);
	kernel_process_remove(&processes, 43);
	cr_assert_null(kernel_process_find(&processes, 43));
	kernel_processes_done(&processes);
}

Test(kernel_process, pids_of_one_chain_are_told_apart)
{
	struct kernel_process *first, *second;

	kernel_processes_init(&processes, TICK);
	first = kernel_process_add(&processes, 1, NULL);
	second = kernel_process_add(&processes, 1 + KERNEL_CHAINS, NULL);
	cr_assert_eq(kernel_process_find(&processes, 1), first);
	cr_assert_eq(kernel_process_find(&processes, 1 + KERNEL_CHAINS), second);
	kernel_process_remove(&processes, 1);
	cr_assert_eq(kernel_process_find(&processes, 1 + KERNEL_CHAINS), second);
	kernel_processes_done(&processes);
}
