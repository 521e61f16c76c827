/* SPDX-License-Identifier: MIT */
/* The format json. */
#pragma once

#include <stdio.h>

struct report;

int report_json_write(const struct report *report, FILE *stream);
