/* SPDX-License-Identifier: MIT */
/* Writes the record that the argument names: what fuzz_kernel_record starts from. */

#include <stdio.h>
#include <string.h>

#include "tests/cli/record_maker.h"

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "sample";
	struct record record = record_sample(7, 8, 1000, PERF_RECORD_MISC_USER, 0x401234);

	if (strcmp(kind, "map") == 0)
		record = record_map(7, 2000, 0x400000, 0x1000, 0x2000, "/bin/program");
	if (strcmp(kind, "name") == 0)
		record = record_name(7, 1, PERF_RECORD_MISC_COMM_EXEC, "program");
	if (strcmp(kind, "fork") == 0)
		record = record_task(PERF_RECORD_FORK, 9, 7, 9, 3);
	if (strcmp(kind, "lost") == 0)
		record = record_lost(12, 5);
	return fwrite(record.bytes, record.size, 1, stdout) == 1 ? 0 : 1;
}
