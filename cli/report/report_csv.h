/* SPDX-License-Identifier: MIT */
/* The format csv. */
#pragma once

#include <stdio.h>

struct report;

int report_csv_write(const struct report *report, FILE *stream);
