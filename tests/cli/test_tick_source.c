/* SPDX-License-Identifier: MIT */
/* What "auto" stands for. */

#include "cli/ticks/tick_source.h"

#include <criterion/criterion.h>

#include "cli/ticks/kernel_clock.h"

Test(tick_source, auto_is_the_kernel_exactly_where_its_clock_is_permitted)
{
	const struct tick_need need = {.preload_enters = true};
	struct error why, err;
	const struct tick_source *source = tick_source_choose(&need, &why);
	bool permitted = kernel_clock_permitted(&err) == 0;

	cr_assert_str_eq(source->name, permitted ? "kernel" : "timer");
	cr_assert_str_not_empty(why.text);
}

Test(tick_source, auto_looks_with_ptrace_only_at_programs_that_no_other_source_serves)
{
	const struct tick_need foreign = {.preload_enters = false};
	const struct tick_need privileged = {.privileged = true};
	struct error why;
	bool permitted = kernel_clock_permitted(&why) == 0;

	cr_assert_str_eq(tick_source_choose(&foreign, &why)->name,
			 permitted || kernel_clock_permitted_in_part() ? "kernel" : "ptrace");
	cr_assert_str_eq(tick_source_choose(&privileged, &why)->name,
			 permitted ? "kernel" : "timer");
}

Test(tick_source, auto_is_the_source_that_uses_a_signal_when_one_was_given)
{
	const struct tick_need need = {.own_signal = true, .preload_enters = true};
	struct error why;

	cr_assert_eq(tick_source_choose(&need, &why)->kind, TICK_TIMER);
	cr_assert_str_not_empty(why.text);
}

Test(tick_source, every_row_is_found_by_its_name)
{
	for (size_t i = 0; tick_source_at(i); i++)
		cr_assert_eq(tick_source_find(tick_source_name(i)), tick_source_at(i));
	cr_assert_null(tick_source_find("never"));
}
