/* SPDX-License-Identifier: MIT */
/* UTF-8 in names: symbol tables and file names hold any bytes. */
#pragma once

#include <stddef.h>

/* Bytes of the valid UTF-8 character at @text (no surrogates, nothing overlong), 0: none is there.
 */
size_t utf8_length(const char *text);

/* Bytes at the start of @text that are valid, up to its end or the first @stop. */
size_t utf8_span(const char *text, char stop);
