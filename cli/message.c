/* SPDX-License-Identifier: MIT */
/* "profrun: what: why". */

#include "cli/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char prefix[] = "profrun: ";

void message_print(const char *format, ...)
{
	char line[1024];
	size_t length;
	va_list arguments;

	strcpy(line, prefix);
	va_start(arguments, format);
	/* One byte is kept for the newline. */
	vsnprintf(line + strlen(prefix), sizeof(line) - strlen(prefix) - 1, format, arguments);
	va_end(arguments);
	length = strlen(line);
	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
			line[i] = '?';
	}
	line[length++] = '\n';
	/* Nobody can be told that a message could not be written. */
	if (write(STDERR_FILENO, line, length) < 0)
		return;
}
