/* SPDX-License-Identifier: MIT */
/* The table of report formats. */

#include "cli/report/report.h"

#include "cli/report/report_callgrind.h"
#include "cli/report/report_csv.h"
#include "cli/report/report_folded.h"
#include "cli/report/report_gmon.h"
#include "cli/report/report_html.h"
#include "cli/report/report_json.h"
#include "cli/report/report_pprof.h"
#include "cli/report/report_text.h"
#include "symbolize/util.h"

static const struct report_format formats[] = {
	{
		.name = "text",
		.summary = "a table for people",
		.default_top = 25,
		.with_summary = true,
		.write = report_text_write,
	},
	{
		.name = "csv",
		.summary = "comma-separated values (RFC 4180)",
		.write = report_csv_write,
	},
	{
		.name = "json",
		.summary = "the same rows, and the facts of the run",
		.write = report_json_write,
	},
	{
		.name = "pprof",
		.summary = "the whole profile, for pprof and for 'profrun report'",
		.binary = true,
		.lines = true,
		.write = report_pprof_write,
	},
	{
		.name = "gmon",
		.summary = "the program's histogram as gmon.out, for gprof",
		.binary = true,
		.write = report_gmon_write,
		.remark = report_gmon_remark,
	},
	{
		.name = "callgrind",
		.summary = "functions, lines and inlined code, for KCachegrind",
		.lines = true,
		.write = report_callgrind_write,
	},
	{
		.name = "folded",
		.summary = "object;file;function;inlined ticks, for flame graphs",
		.lines = true,
		.write = report_folded_write,
	},
	{
		.name = "html",
		.summary = "a page for browsers: table, icicle and source",
		.default_top = 500,
		.lines = true,
		.write = report_html_write,
	},
};

const struct report_format *report_format_at(size_t index)
{
	return index < ARRAY_SIZE(formats) ? &formats[index] : NULL;
}

const char *report_format_name(size_t index)
{
	return index < ARRAY_SIZE(formats) ? formats[index].name : NULL;
}
