/* SPDX-License-Identifier: MIT */
/* Text in JSON, which is UTF-8: names and paths hold any bytes. */
#pragma once

#include <json-c/json.h>
#include <stdio.h>

/* A JSON string of @text with bytes that are no UTF-8 as \xNN, or null where memory ran out. */
struct json_object *json_text_new(const char *text);

/* Writes that string, quotes and all. */
void json_text_write(const char *text, FILE *stream);
