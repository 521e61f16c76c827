/* SPDX-License-Identifier: MIT */
/* Records as the kernel writes them, and pieces of them. */

#include "cli/ticks/kernel_record.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/cli/record_maker.h"

static struct kernel_record parse(const struct record *made)
{
	struct kernel_record record = {.kind = KERNEL_OTHER};

	cr_assert(kernel_record_parse(made->bytes, made->size, &record));
	return record;
}

Test(kernel_record, a_sample_tells_who_ran_where)
{
	struct record made = record_sample(7, 8, 1000, PERF_RECORD_MISC_USER, 0x401234);
	struct kernel_record record = parse(&made);

	cr_assert_eq(record.kind, KERNEL_SAMPLE);
	cr_assert_eq(record.pid, 7);
	cr_assert_eq(record.tid, 8);
	cr_assert_eq(record.time, 1000);
	cr_assert(record.has_pc && !record.in_kernel && !record.is_32bit);
	cr_assert_eq(record.pc, 0x401234);
}

Test(kernel_record, a_sample_in_the_kernel_has_the_pc_of_the_program)
{
	struct record made = record_sample(7, 7, 1000, PERF_RECORD_MISC_KERNEL, 0x401234);
	struct kernel_record record = parse(&made);

	cr_assert(record.in_kernel && record.has_pc);
	cr_assert_eq(record.pc, 0x401234);
}

Test(kernel_record, a_sample_of_a_thread_without_memory_has_no_pc)
{
	struct record made = record_sample_without_registers(7, 7, 1000);
	struct kernel_record record = parse(&made);

	cr_assert_eq(record.kind, KERNEL_SAMPLE);
	cr_assert(!record.has_pc);
}

Test(kernel_record, a_mapping_tells_its_file)
{
	struct record made = record_map(7, 2000, 0x400000, 0x1000, 0x2000, "/bin/program");
	struct kernel_record record = parse(&made);

	cr_assert_eq(record.kind, KERNEL_MAP);
	cr_assert_eq(record.pid, 7);
	cr_assert_eq(record.time, 2000);
	cr_assert_eq(record.start, 0x400000);
	cr_assert_eq(record.length, 0x1000);
	cr_assert_eq(record.piece.offset, 0x2000);
	cr_assert_str_eq(record.piece.path, "/bin/program");
}

Test(kernel_record, a_mapping_that_wraps_or_is_empty_is_none)
{
	struct record wraps = record_map(7, 1, UINT64_MAX - 0xfff, 0x2000, 0, "/bin/program");
	struct record empty = record_map(7, 1, 0x1000, 0, 0, "/bin/program");
	struct kernel_record record;

	cr_assert(!kernel_record_parse(wraps.bytes, wraps.size, &record));
	cr_assert(!kernel_record_parse(empty.bytes, empty.size, &record));
}

Test(kernel_record, names_that_exec_gives_are_told_apart)
{
	struct record executed = record_name(7, 1, PERF_RECORD_MISC_COMM_EXEC, "program");
	struct record renamed = record_name(7, 1, 0, "worker");

	cr_assert_eq(parse(&executed).kind, KERNEL_EXEC);
	cr_assert_str_eq(parse(&executed).name, "program");
	cr_assert_eq(parse(&renamed).kind, KERNEL_NAME);
}

Test(kernel_record, forks_and_exits_tell_both_ends)
{
	struct record fork = record_task(PERF_RECORD_FORK, 9, 7, 9, 3);
	struct record end = record_task(PERF_RECORD_EXIT, 9, 7, 9, 4);
	struct kernel_record record = parse(&fork);

	cr_assert_eq(record.kind, KERNEL_FORK);
	cr_assert_eq(record.pid, 9);
	cr_assert_eq(record.parent, 7);
	cr_assert_eq(record.time, 3);
	cr_assert_eq(parse(&end).kind, KERNEL_EXIT);
}

Test(kernel_record, lost_ones_are_counted)
{
	struct record made = record_lost(12, 5);

	cr_assert_eq(parse(&made).kind, KERNEL_LOST);
	cr_assert_eq(parse(&made).lost, 12);
}

Test(kernel_record, unknown_kinds_are_passed_over)
{
	struct record made = record_task(200, 1, 1, 1, 1);

	cr_assert_eq(parse(&made).kind, KERNEL_OTHER);
}

Test(kernel_record, none_that_is_cut_is_taken)
{
	const struct record records[] = {
		record_sample(7, 8, 1000, PERF_RECORD_MISC_USER, 0x401234),
		record_map(7, 2000, 0x400000, 0x1000, 0x2000, "/bin/program"),
		record_name(7, 1, PERF_RECORD_MISC_COMM_EXEC, "program"),
		record_task(PERF_RECORD_FORK, 9, 7, 9, 3),
		record_lost(12, 5),
	};
	struct kernel_record record;

	for (size_t i = 0; i < sizeof(records) / sizeof(*records); i++) {
		for (size_t size = 0; size < records[i].size; size++)
			cr_assert(!kernel_record_parse(records[i].bytes, size, &record));
	}
}

Test(kernel_record, a_string_that_does_not_end_is_not_read)
{
	struct record made = record_name(7, 1, PERF_RECORD_MISC_COMM_EXEC, "program");
	struct kernel_record record;

	memset(made.bytes + sizeof(struct perf_event_header) + 8, 'x', 8);
	cr_assert(!kernel_record_parse(made.bytes, made.size, &record));
}
