/* SPDX-License-Identifier: MIT */
/* Strings for json-c. */

#include "cli/report/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/utf8.h"
#include "symbolize/util.h"

struct json_object *json_text_new(const char *text)
{
	AUTO_FREE char *valid = malloc(4 * strlen(text) + 1);
	char *out = valid;

	if (!valid)
		return NULL;
	while (*text) {
		size_t length = utf8_length(text);

		if (length)
			out = mempcpy(out, text, length);
		else
			out += sprintf(out, "\\x%02X", (unsigned char)*text);
		text += length ? length : 1;
	}
	return json_object_new_string_len(valid, (int)(out - valid));
}

void json_text_write(const char *text, FILE *stream)
{
	struct json_object *string = json_text_new(text);

	fputs(json_object_to_json_string_ext(string, JSON_C_TO_STRING_NOSLASHESCAPE), stream);
	json_object_put(string);
}
