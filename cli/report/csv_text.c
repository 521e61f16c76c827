/* SPDX-License-Identifier: MIT */
/* Text in CSV: quoted when it holds a comma, a quote or a line end. */

#include "cli/report/csv_text.h"

#include <stdbool.h>
#include <string.h>

#include "cli/report/utf8.h"

void csv_text_write(const char *text, FILE *stream)
{
	bool quoted = text[strcspn(text, ",\"\r\n")];

	if (quoted)
		putc('"', stream);
	for (;;) {
		size_t length = utf8_span(text, '"');

		fwrite(text, 1, length, stream);
		text += length;
		if (!*text)
			break;
		if (*text == '"')
			fputs("\"\"", stream);
		else
			fprintf(stream, "\\x%02X", (unsigned char)*text);
		text++;
	}
	if (quoted)
		putc('"', stream);
}
