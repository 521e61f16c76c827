/* SPDX-License-Identifier: MIT */
/* Names in formats of lines, which have no quoting. */
#pragma once

#include <stdio.h>

/*
 * Writes @text with control characters, bytes that are no UTF-8, and those of @special, as \xNN.
 */
void escape_write(const char *text, const char *special, FILE *stream);
