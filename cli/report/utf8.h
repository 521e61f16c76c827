/* SPDX-License-Identifier: MIT */
/* UTF-8 in names: symbol tables and file names hold any bytes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Bytes of the valid UTF-8 character at @text (no surrogates, nothing overlong), 0: none is there.
 */
size_t utf8_length(const char *text);

/* The same, and what character it is. */
size_t utf8_decode(const char *text, uint32_t *ret_character);

/*
 * The same of a character that shows itself and leaves others as they are; 0 for control characters
 * and for those that turn the direction of what stands beside them, too.
 */
size_t utf8_shown_length(const char *text);

/* Bytes at the start of @text that are valid, up to its end or the first @stop. */
size_t utf8_span(const char *text, char stop);
