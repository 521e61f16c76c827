/* SPDX-License-Identifier: MIT */
/* Verdicts in words: bounded, whatever the file is called. */

#include "cli/launch/preflight_say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void preflight_judge(struct preflight *result, enum preflight_verdict verdict, const char *format,
		     ...)
{
	va_list arguments;

	result->verdict = verdict;
	va_start(arguments, format);
	vsnprintf(result->reason, sizeof(result->reason), format, arguments);
	va_end(arguments);
}

void preflight_hint(struct preflight *result, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(result->hint, sizeof(result->hint), format, arguments);
	va_end(arguments);
}

const char *preflight_shown(const char *path)
{
	size_t length = strlen(path);

	return length > PREFLIGHT_NAME_SHOWN ? path + length - PREFLIGHT_NAME_SHOWN : path;
}
