/* SPDX-License-Identifier: MIT */
/* "profrun: what: why". */

#include "cli/message.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/report/utf8.h"

static const char prefix[] = "profrun: ";

/* Nobody can be told that a message could not be written; a file size limit must not kill either.
 */
static void write_line(const char *line, size_t length)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;

	sigaction(SIGXFSZ, &ignore, &before);
	while (write(STDERR_FILENO, line, length) < 0 && errno == EINTR)
		continue;
	sigaction(SIGXFSZ, &before, NULL);
}

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
	for (size_t i = 0, shown; i < length; i += shown ? shown : 1) {
		shown = utf8_shown_length(line + i);
		if (shown == 0)
			line[i] = '?';
	}
	line[length++] = '\n';
	write_line(line, length);
}
