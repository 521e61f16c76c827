/* SPDX-License-Identifier: MIT */
/* What becomes of records, one after the other. */

#include "cli/ticks/kernel_follow.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define TARGET 4000001 /* numbers that no process has */
#define CHILD  4000002
#define OTHER  4000003
#define TICK   10000000

static struct profile *profile;
static struct kernel_follow follow;
static uint64_t now;

static void ended(struct image *image, bool runs, void *data)
{
	(void)image;
	(void)runs;
	(void)data;
}

static void begin(void)
{
	profile = profile_new();
	follow = (struct kernel_follow){
		.counter = {.profile = profile, .scale = 0x10000},
		.count_until = INFINITY,
		.image_ended = ended,
	};
	kernel_processes_init(&follow.processes, TICK);
	cr_assert_eq(kernel_follow_begin(&follow, TARGET), 0);
}

static void finish(void)
{
	kernel_follow_done(&follow);
	profile_free(profile);
}

TestSuite(kernel_follow, .init = begin, .fini = finish);

static void tell(struct kernel_record record)
{
	record.time = ++now;
	if (record.tid == 0)
		record.tid = record.pid;
	record.period = TICK;
	kernel_follow_record(&follow, &record);
}

static void tell_exec(pid_t pid, const char *name)
{
	tell((struct kernel_record){.kind = KERNEL_EXEC, .pid = pid, .name = name});
	tell((struct kernel_record){.kind = KERNEL_MAP,
				    .pid = pid,
				    .start = 0x1000,
				    .length = 0x1000,
				    .piece = {.path = "/no/such/program"}});
}

static void tell_samples(pid_t pid, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		tell((struct kernel_record){
			.kind = KERNEL_SAMPLE, .pid = pid, .has_pc = true, .pc = 0x1234});
}

Test(kernel_follow, samples_of_the_target_and_its_children_are_ticks_and_no_others)
{
	tell_exec(TARGET, "parent");
	tell_samples(TARGET, 3);
	tell((struct kernel_record){.kind = KERNEL_FORK, .pid = CHILD, .parent = TARGET});
	tell_samples(CHILD, 2);
	tell((struct kernel_record){.kind = KERNEL_FORK, .pid = OTHER, .parent = 1});
	tell_samples(OTHER, 5);
	cr_assert_eq(profile->ticks, 5);
	cr_assert(follow.saw_target);
	cr_assert_eq(kernel_follow_end(&follow), 0);
	cr_assert_eq(follow.failure, 0);
}

Test(kernel_follow, a_process_that_executes_another_program_is_another_row)
{
	tell_exec(TARGET, "one");
	tell_samples(TARGET, 1);
	tell_exec(TARGET, "other");
	tell_samples(TARGET, 1);
	cr_assert_eq(profile->process_count, 2);
	cr_assert_eq(profile->processes[0].pid, profile->processes[1].pid);
}

Test(kernel_follow, nobody_else_counts_where_children_are_not_followed)
{
	follow.no_follow = true;
	tell_exec(TARGET, "parent");
	tell((struct kernel_record){.kind = KERNEL_FORK, .pid = CHILD, .parent = TARGET});
	tell_samples(CHILD, 2);
	cr_assert_eq(profile->ticks, 0);
}

Test(kernel_follow, what_comes_outside_of_the_window_is_no_tick_and_is_known)
{
	follow.count_from = 1;
	tell_exec(TARGET, "early");
	tell_samples(TARGET, 4);
	cr_assert_eq(profile->ticks, 0);
	cr_assert_eq(follow.outside, 4 * TICK);
}

Test(kernel_follow, lost_records_and_a_slowed_clock_are_known)
{
	tell((struct kernel_record){.kind = KERNEL_LOST, .lost = 7});
	tell((struct kernel_record){.kind = KERNEL_THROTTLE});
	tell((struct kernel_record){.kind = KERNEL_THROTTLE});
	cr_assert_eq(follow.lost, 7);
	cr_assert_eq(follow.throttles, 2);
}

Test(kernel_follow, a_number_that_is_used_again_is_another_process)
{
	tell_exec(TARGET, "parent");
	tell((struct kernel_record){.kind = KERNEL_FORK, .pid = CHILD, .parent = TARGET});
	tell_samples(CHILD, 1);
	tell((struct kernel_record){.kind = KERNEL_EXIT, .pid = CHILD});
	tell((struct kernel_record){.kind = KERNEL_FORK, .pid = CHILD, .parent = TARGET});
	tell_samples(CHILD, 1);
	cr_assert_eq(profile->process_count, 2);
}

Test(kernel_follow, a_thread_that_is_being_taken_down_has_no_number)
{
	follow.counter.threads_apart = true;
	tell_exec(TARGET, "parent");
	tell_samples(TARGET, 1);
	tell((struct kernel_record){.kind = KERNEL_SAMPLE, .pid = TARGET, .tid = -1});
	cr_assert_eq(profile->ticks, 2);
	cr_assert_neq(profile->entries[0].thread, 0);
	cr_assert_eq(profile->entries[1].thread, 0);
}

Test(kernel_follow, a_thread_that_has_ended_keeps_its_name_until_its_number_is_used_again)
{
	follow.counter.threads_apart = true;
	tell_exec(TARGET, "parent");
	tell((struct kernel_record){
		.kind = KERNEL_FORK, .pid = TARGET, .tid = CHILD, .parent = TARGET});
	tell((struct kernel_record){
		.kind = KERNEL_NAME, .pid = TARGET, .tid = CHILD, .name = "worker"});
	tell((struct kernel_record){.kind = KERNEL_EXIT, .pid = TARGET, .tid = CHILD});
	tell((struct kernel_record){.kind = KERNEL_SAMPLE, .pid = TARGET, .tid = CHILD});
	cr_assert_str_eq(profile->threads[0].name, "worker");
	tell((struct kernel_record){
		.kind = KERNEL_FORK, .pid = TARGET, .tid = CHILD, .parent = TARGET});
	tell((struct kernel_record){.kind = KERNEL_SAMPLE, .pid = TARGET, .tid = CHILD});
	cr_assert_str_eq(profile->threads[1].name, "parent");
}
