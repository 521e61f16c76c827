/* SPDX-License-Identifier: MIT */
/* The table of report formats. */

#include "cli/report.h"

#include "symbolize/util.h"

static const struct report_format formats[] = {
	{
		.name = "text",
		.summary = "a table for people",
		.default_top = 25,
		.with_summary = true,
	},
	{
		.name = "csv",
		.summary = "comma-separated values (RFC 4180)",
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
