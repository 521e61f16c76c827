/* SPDX-License-Identifier: MIT */
/* The format text. */
#pragma once

#include <stdio.h>

struct report;

int report_text_write(const struct report *report, FILE *stream);
