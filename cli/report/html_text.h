/* SPDX-License-Identifier: MIT */
/* Names in HTML, which may hold any bytes. */
#pragma once

#include <stdio.h>

/* @text as HTML text, also between quotes; bytes that are no character as \xNN. */
void html_text_write(const char *text, FILE *stream);

/* @text as a JSON string that may stand in a script element. */
void html_json_write(const char *text, FILE *stream);

/* A long name of C++ made short, beside which its whole is to be told; freed by the caller. NULL:
 * it is not long. */
char *html_text_short(const char *name);

/* ' title="TEXT"' */
void html_title_write(const char *text, FILE *stream);
