/* SPDX-License-Identifier: MIT */
/* The reader of saved profiles, and all that works on what it read: a file can hold anything. */

#include <stdlib.h>

#include "cli/profile/pprof_read.h"
#include "cli/profile/pprof_write.h"
#include "cli/profile/profile_merge.h"
#include "cli/report/report.h"
#include "cli/report/rows.h"
#include "cli/report/terminal.h"
#include "symbolize/util.h"
#include "tests/fuzz/fuzz.h"

static FILE *nowhere;

static void write_report(const struct profile *profile, const char *line)
{
	static char program[] = "profrun", target[] = "app";
	char *words[] = {program, target, NULL};
	struct terminal terminal = {.is_terminal = true, .utf8 = true, .width = 80};
	struct options options;
	struct rows rows;
	struct report report = {
		.profile = profile, .rows = &rows, .options = &options, .terminal = &terminal};

	if (options_parse(words, line, &options, NULL) < 0)
		abort();
	if (rows_build(profile, &options, &rows, NULL) == 0)
		options.format->write(&report, nowhere);
	rows_done(&rows);
	options_done(&options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile *profile, *again;
	struct error err;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	if (pprof_read(data, size, &profile, &err) < 0)
		return 0;
	write_report(profile, "--csv");
	write_report(profile, "--json --by=line,process,address");
	write_report(profile, "--by=file");
	write_report(profile, "--format=folded --threads --by=thread,function");
	write_report(profile, "--format=callgrind");
	write_report(profile, "--format=gmon");
	if (pprof_write(profile, nowhere) < 0 || pprof_read(data, size, &again, &err) < 0 ||
	    profile_merge(profile, again, &err) < 0)
		abort();
	profile_free(again);
	write_report(profile, "");
	profile_free(profile);
	return 0;
}
