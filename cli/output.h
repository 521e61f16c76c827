/* SPDX-License-Identifier: MIT */
/*
 * Where something is written: a file appears whole or not at all (a temporary file without a name,
 * renamed over the old one at the end), anything that is no regular file is written in place.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "symbolize/error.h"

struct output {
	FILE *stream;	 /* to write to */
	char *path;	 /* the file that is made, symbolic links followed; NULL: in place */
	char *temporary; /* its temporary name, where the file system has none without a name */
	char *shown;	 /* how a message calls it */
};

/*
 * Opens @pattern (see cli/pattern.h) for writing, so that what cannot be written is known before
 * anything runs. "-" is stdout; NULL is the descriptor @fallback. A new file gets @mode without
 * what umask takes, an old one keeps its mode and owner. *ret_output needs output_done().
 */
int output_open(const char *pattern, int fallback, mode_t mode, struct output *ret_output,
		struct error *err);

/* The same for a file that is called @name, whatever is in it. */
int output_open_file(const char *name, mode_t mode, struct output *ret_output, struct error *err);

/*
 * Finishes: everything is written and the file gets its name. 0, or a negative errno with *err;
 * the old file then stands as it was. A reader that went away (EPIPE) is no failure.
 */
int output_commit(struct output *output, struct error *err);

/* Whether both make the same file, so that one would be lost, or are written into the same one. */
bool output_same_file(const struct output *a, const struct output *b);

/* Closes; what was not committed leaves no trace. */
void output_done(struct output *output);
