/* SPDX-License-Identifier: MIT */
/* Text in CSV: RFC 4180's quoting, and bytes that are no UTF-8 as \xNN. */
#pragma once

#include <stdio.h>

void csv_text_write(const char *text, FILE *stream);
