/* SPDX-License-Identifier: MIT */
/* The format html. */
#pragma once

#include <stdio.h>

struct report;

int report_html_write(const struct report *report, FILE *stream);
