/* SPDX-License-Identifier: MIT */
/* The table of options: parsing, --help and messages come from it. */

#include <errno.h>

#include "cli/completion.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "cli/report/columns.h"
#include "cli/report/report.h"
#include "cli/ticks/tick_source.h"
#include "cli/usage.h"
#include "symbolize/util.h"

static int refuse_attach(const struct option *option, const char *value, struct options *options,
			 struct error *err)
{
	(void)option;
	(void)value;
	(void)options;
	return error_set(err, -ENOTSUP, "%s", OPTION_NO_ATTACHING);
}

static int inform_help(const struct option *option, const char *value, struct options *options,
		       struct error *err)
{
	(void)option;
	(void)value;
	(void)err;
	options->inform = usage_help;
	return 0;
}

static int inform_version(const struct option *option, const char *value, struct options *options,
			  struct error *err)
{
	(void)option;
	(void)value;
	(void)err;
	options->inform = usage_version;
	return 0;
}

#define FIELD(member) offsetof(struct options, member)

static const struct option option_table[] = {
	{
		.name = "scale",
		.group = OPTION_SAMPLING,
		.value = "N",
		.help = "profil(3)'s scale: 0x10000 (default) is a bucket per 2 bytes of text, "
			"0x8000 per 4; from 2",
		.apply = option_scale,
		.field = FIELD(scale),
		.min = 2,
		.max = 0x10000,
	},
	{
		.name = "rate",
		.group = OPTION_SAMPLING,
		.value = "HZ",
		.help = "ticks per second of CPU time, 1 to 10000 (default 100)",
		.apply = option_number,
		.field = FIELD(rate_hz),
		.min = 1,
		.max = 10000,
	},
	{
		.name = "ticks",
		.group = OPTION_SAMPLING,
		.value = "NAME",
		.help = "who ticks; --ticks=help lists the sources (default auto)",
		.apply = option_ticks,
		.choices = tick_source_name,
	},
	{
		.name = "main-only",
		.group = OPTION_SAMPLING,
		.help = "only the main program's text, as profil(3) was used",
		.apply = option_set,
		.field = FIELD(main_only),
	},
	{
		.name = "threads",
		.group = OPTION_SAMPLING,
		.help = "keep threads apart, for --by=thread",
		.apply = option_set,
		.field = FIELD(threads),
	},
	{
		.name = "no-follow",
		.group = OPTION_SAMPLING,
		.help = "do not profile child processes",
		.apply = option_clear,
		.field = FIELD(follow),
	},
	{
		.name = "signal",
		.group = OPTION_SAMPLING,
		.value = "SIG",
		.help = "the real-time signal that ticks (default: the first free from RTMAX-2 "
			"down)",
		.apply = option_signal,
		.field = FIELD(signal),
	},
	{
		.name = "delay",
		.group = OPTION_SAMPLING,
		.value = "S",
		.help = "start to count S seconds after the program",
		.apply = option_seconds,
		.field = FIELD(delay),
	},
	{
		.name = "duration",
		.group = OPTION_SAMPLING,
		.value = "S",
		.help = "count for S seconds; the program goes on",
		.apply = option_seconds,
		.field = FIELD(duration),
	},
	{
		.name = "repeat",
		.group = OPTION_SAMPLING,
		.value = "N",
		.help = "run the program N times and add up",
		.apply = option_number,
		.field = FIELD(repeat),
		.min = 1,
		.max = 1000000,
	},
	{
		.name = "csv",
		.group = OPTION_REPORTING,
		.help = "short for --format=csv",
		.apply = option_format,
	},
	{
		.name = "json",
		.group = OPTION_REPORTING,
		.help = "short for --format=json",
		.apply = option_format,
	},
	{
		.name = "format",
		.group = OPTION_REPORTING,
		.value = "NAME",
		.help = "form of the report; --format=help lists them (default text)",
		.apply = option_format,
		.choices = report_format_name,
	},
	{
		.name = "output",
		.letter = 'o',
		.group = OPTION_REPORTING,
		.value = "FILE",
		.help = "where the report goes; %p pid, %h host, %q{VAR} environment, %% a percent "
			"sign",
		.apply = option_string,
		.field = FIELD(output),
	},
	{
		.name = "save",
		.group = OPTION_REPORTING,
		.value = "FILE",
		.help = "keep the profile, for 'profrun report' and pprof; same patterns as -o",
		.apply = option_string,
		.field = FIELD(save),
	},
	{
		.name = "no-save",
		.group = OPTION_REPORTING,
		.help = "do not keep the last run for 'profrun report'",
		.apply = option_clear,
		.field = FIELD(keep_last),
	},
	{
		.name = "by",
		.group = OPTION_REPORTING,
		.value = "KEY[,KEY]",
		.help = "a row per function (default), line, file, object, address, process, "
			"thread, run, or several of them",
		.apply = option_keys,
		.field = FIELD(by),
		.choices = key_name,
	},
	{
		.name = "sort",
		.group = OPTION_REPORTING,
		.value = "KEY",
		.help = "order rows by a column, -KEY the other way round (default: falling ticks)",
		.apply = option_sort,
		.choices = column_name,
	},
	{
		.name = "top",
		.group = OPTION_REPORTING,
		.value = "N",
		.help = "at most N rows, the rest summed in one; 0 for all (default 25 in text)",
		.apply = option_number,
		.field = FIELD(top),
		.max = 1000000000,
	},
	{
		.name = "min",
		.group = OPTION_REPORTING,
		.value = "PERCENT",
		.help = "hide rows below, summed in the same last row",
		.apply = option_percent,
		.field = FIELD(min_percent),
	},
	{
		.name = "focus",
		.group = OPTION_REPORTING,
		.value = "REGEX",
		.help = "only functions or objects that match; percentages stay of the whole",
		.apply = option_regex,
		.field = FIELD(focus),
	},
	{
		.name = "no-inlines",
		.group = OPTION_REPORTING,
		.help = "time of inlined code goes to the function it was inlined into",
		.apply = option_clear,
		.field = FIELD(inlines),
	},
	{
		.name = "no-demangle",
		.group = OPTION_REPORTING,
		.help = "names as they stand in the file",
		.apply = option_clear,
		.field = FIELD(demangle),
	},
	{
		.name = "clones",
		.group = OPTION_REPORTING,
		.help = "keep .cold, .part.0, .constprop.0 apart from their function",
		.apply = option_set,
		.field = FIELD(clones),
	},
	{
		.name = "debuginfod",
		.group = OPTION_REPORTING,
		.value = "SECONDS",
		.implied = "5",
		.help = "fetch missing debug files from the servers of DEBUGINFOD_URLS, in at most "
			"SECONDS (5) in all",
		.apply = option_seconds,
		.field = FIELD(fetch_seconds),
	},
	{
		.name = "live",
		.group = OPTION_REPORTING,
		.help = "a view on the terminal while the program runs; its last line tells the "
			"keys",
		.apply = option_set,
		.field = FIELD(live),
	},
	{
		.name = "running",
		.group = OPTION_REPORTING,
		.value = "PID",
		.help = "with report: what the running profrun PID has counted so far",
		.apply = option_number,
		.field = FIELD(running),
		.min = 1,
		.max = 1 << 22,
	},
	{
		.name = "fail-if",
		.group = OPTION_REPORTING,
		.value = "PERCENT",
		.help = "with diff: exit 1 when a function's share or the CPU time rose by more "
			"beyond its margin",
		.apply = option_percent,
		.field = FIELD(fail_percent),
	},
	{
		.name = "color",
		.group = OPTION_REPORTING,
		.value = "WHEN",
		.help = "auto (default), always or never; NO_COLOR is honoured",
		.apply = option_color,
		.choices = option_color_name,
	},
	{
		.name = "quiet",
		.letter = 'q',
		.group = OPTION_REPORTING,
		.help = "no summary lines",
		.apply = option_set,
		.field = FIELD(quiet),
	},
	{
		.name = "verbose",
		.letter = 'v',
		.group = OPTION_REPORTING,
		.help = "say what was found where, and why",
		.apply = option_set,
		.field = FIELD(verbose),
	},
	{
		.letter = 'p',
		.group = OPTION_OTHER,
		.apply = refuse_attach,
	},
	{
		.name = "completion",
		.group = OPTION_OTHER,
		.value = "SHELL",
		.help = "print completions for bash, zsh or fish",
		.apply = option_completion,
		.choices = completion_shell,
	},
	{
		.name = "version",
		.group = OPTION_OTHER,
		.help = "print the version and what was built in",
		.apply = inform_version,
	},
	{
		.name = "help",
		.letter = 'h',
		.group = OPTION_OTHER,
		.help = "print this",
		.apply = inform_help,
	},
};

const struct option *options_at(size_t index)
{
	return index < ARRAY_SIZE(option_table) ? &option_table[index] : NULL;
}
