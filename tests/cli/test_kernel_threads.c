/* SPDX-License-Identifier: MIT */
/* Threads by the kernel's records. */

#include "cli/ticks/kernel_threads.h"

#include <criterion/criterion.h>

static struct profile *profile;
static struct kernel_threads threads;

static void make(void)
{
	profile = profile_new();
}

static void drop(void)
{
	kernel_threads_done(&threads);
	profile_free(profile);
}

TestSuite(kernel_threads, .init = make, .fini = drop);

Test(kernel_threads, a_thread_keeps_its_number_and_takes_its_last_name)
{
	cr_assert_eq(kernel_threads_name(&threads, profile, 7, "first"), 0);
	cr_assert_eq(kernel_threads_number(&threads, profile, 0, 7), 1);
	cr_assert_eq(kernel_threads_number(&threads, profile, 0, 5), 2);
	cr_assert_eq(kernel_threads_number(&threads, profile, 0, 7), 1);
	cr_assert_eq(kernel_threads_name(&threads, profile, 7, "second"), 0);
	cr_assert_str_eq(profile->threads[0].name, "second");
	cr_assert_str_eq(profile->threads[1].name, "");
	cr_assert_str_eq(kernel_threads_find_name(&threads, 7), "second");
	cr_assert_str_eq(kernel_threads_find_name(&threads, 6), "");
}

Test(kernel_threads, an_id_that_comes_again_is_another_thread)
{
	cr_assert_eq(kernel_threads_number(&threads, profile, 0, 7), 1);
	cr_assert_eq(kernel_threads_number(&threads, profile, 0, 8), 2);
	kernel_threads_remove(&threads, 7);
	kernel_threads_remove(&threads, 99);
	cr_assert_eq(kernel_threads_number(&threads, profile, 0, 8), 2);
	cr_assert_eq(kernel_threads_number(&threads, profile, 0, 7), 3);
	cr_assert_eq(profile->threads[2].tid, 7);
}
