/* SPDX-License-Identifier: MIT */
/* A short list of lines; it grows so seldom that one lock is enough for all. */

#include "symbolize/notes.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(struct notes *notes, const char *text)
{
	if (notes->count == NOTES_MAX)
		return;
	for (size_t i = 0; i < notes->count; i++)
		if (strcmp(notes->texts[i], text) == 0)
			return;
	notes->texts[notes->count] = arena_strndup(&notes->arena, text, strlen(text));
	if (notes->texts[notes->count])
		notes->count++;
}

void notes_add(struct notes *notes, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	pthread_mutex_lock(&lock);
	add(notes, text);
	pthread_mutex_unlock(&lock);
}

void notes_done(struct notes *notes)
{
	arena_done(&notes->arena);
}
