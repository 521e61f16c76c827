/* SPDX-License-Identifier: MIT */
/* Names in formats of lines. */

#include "cli/report/escape.h"

#include <stdbool.h>
#include <string.h>

#include "cli/report/utf8.h"

void escape_write(const char *text, const char *special, FILE *stream)
{
	while (*text) {
		unsigned char byte = (unsigned char)*text;
		bool plain = byte >= ' ' && byte != 0x7f && !strchr(special, *text);
		size_t length = plain ? utf8_length(text) : 0;

		if (length)
			fwrite(text, 1, length, stream);
		else
			fprintf(stream, "\\x%02X", byte);
		text += length ? length : 1;
	}
}
