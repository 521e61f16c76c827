/* SPDX-License-Identifier: MIT */
/* The format pprof. */
#pragma once

#include <stdio.h>

struct report;

int report_pprof_write(const struct report *report, FILE *stream);
