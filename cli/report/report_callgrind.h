/* SPDX-License-Identifier: MIT */
/* The format callgrind. */
#pragma once

#include <stdio.h>

struct report;

int report_callgrind_write(const struct report *report, FILE *stream);
