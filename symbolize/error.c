/* SPDX-License-Identifier: MIT */
/* error_set(): what failed and why, in one line. */

#include "symbolize/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int error_set(struct error *err, int code, const char *format, ...)
{
	va_list arguments;
	size_t length;

	if (!err)
		return code;
	err->code = code;
	va_start(arguments, format);
	vsnprintf(err->text, sizeof(err->text), format, arguments);
	va_end(arguments);
	length = strlen(err->text);
	if (length >= 2 && strcmp(err->text + length - 2, ": ") == 0)
		snprintf(err->text + length, sizeof(err->text) - length, "%s", strerror(-code));
	return code;
}
