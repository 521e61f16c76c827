/* SPDX-License-Identifier: MIT */
/*
 * Reports: the table of formats. A format is one file report_NAME.c with a function that writes
 * rows, and one row in cli/report/report.c.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/options.h"
#include "cli/profile/profile.h"
#include "symbolize/error.h"

/* What a format writes. */
struct report {
	const struct profile *profile;
	const struct rows *rows;
	const struct options *options;
	const struct terminal *terminal; /* where it will be read */
};

struct report_format {
	const char *name;
	const char *summary;
	uint32_t default_top; /* rows when --top was not given; 0: all */
	/* The summary lines are part of the report (and leave it with -o). */
	bool with_summary;
	bool binary; /* nothing for a terminal */
	bool lines;  /* asks for source lines and inlined functions */
	/* Writes to @stream, whose errors are the caller's to see. 0 or -ENOMEM. */
	int (*write)(const struct report *report, FILE *stream);
	/* What the format leaves out, in a line: 1, or 0 for nothing; NULL: it never does. */
	int (*remark)(const struct report *report, char *line, size_t size);
};

/* The row at @index, in the order of --format=help; NULL after the last. The first is text. */
const struct report_format *report_format_at(size_t index);
const char *report_format_name(size_t index);
