/* SPDX-License-Identifier: MIT */
/* The format folded. */
#pragma once

#include <stdio.h>

struct report;

int report_folded_write(const struct report *report, FILE *stream);
