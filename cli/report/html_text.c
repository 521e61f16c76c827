/* SPDX-License-Identifier: MIT */
/* Names in HTML. */

#include "cli/report/html_text.h"

#include <string.h>

#include "cli/report/shorten.h"
#include "cli/report/utf8.h"

#define NAME_LONG 80 /* bytes from which a name is shortened */

/* What stands for a character that HTML would take for its own, or NULL. */
static const char *entity_of(char character)
{
	switch (character) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void html_text_write(const char *text, FILE *stream)
{
	while (*text) {
		unsigned char byte = (unsigned char)*text;
		const char *entity = entity_of(*text);
		size_t length = byte == '\t' ? 1 : utf8_shown_length(text);

		if (entity)
			fputs(entity, stream);
		else if (length)
			fwrite(text, 1, length, stream);
		else
			fprintf(stream, "\\x%02X", byte);
		text += length ? length : 1;
	}
}

char *html_text_short(const char *name)
{
	char *shown = strlen(name) > NAME_LONG ? strdup(name) : NULL;

	if (shown)
		shorten_name(shown, "…");
	return shown;
}

void html_title_write(const char *text, FILE *stream)
{
	fputs(" title=\"", stream);
	html_text_write(text, stream);
	putc('"', stream);
}

void html_json_write(const char *text, FILE *stream)
{
	putc('"', stream);
	while (*text) {
		unsigned char byte = (unsigned char)*text;
		size_t length = utf8_shown_length(text);

		if (byte < ' ' || strchr("\"\\<>&", *text))
			fprintf(stream, "\\u%04x", byte);
		else if (length == 0)
			fprintf(stream, "\\\\x%02X", byte);
		else
			fwrite(text, 1, length, stream);
		text += length ? length : 1;
	}
	putc('"', stream);
}
