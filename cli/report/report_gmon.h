/* SPDX-License-Identifier: MIT */
/* The format gmon. */
#pragma once

#include <stddef.h>
#include <stdio.h>

struct report;

int report_gmon_write(const struct report *report, FILE *stream);

/* What it leaves out, in a line: 1, or 0 when that is nothing. */
int report_gmon_remark(const struct report *report, char *line, size_t size);
