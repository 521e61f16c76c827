/* SPDX-License-Identifier: MIT */
/* Names in HTML, which may hold any bytes. */
#pragma once

#include <stdio.h>

/* @text as HTML text, also between quotes; bytes that are no character as \xNN. */
void html_text_write(const char *text, FILE *stream);

/* @text as a JSON string that may stand in a script element. */
void html_json_write(const char *text, FILE *stream);
