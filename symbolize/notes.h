/* SPDX-License-Identifier: MIT */
/* What could not be used and why, kept for whoever wants to know. */
#pragma once

#include <stddef.h>

#include "symbolize/arena.h"

#define NOTES_MAX 16

struct notes {
	struct arena arena;
	const char *texts[NOTES_MAX];
	size_t count;
};

/*
 * Adds a line unless it is there already; silently gives up when there are too many. Any thread may
 * do so.
 */
void notes_add(struct notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
void notes_done(struct notes *notes);
