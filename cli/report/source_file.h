/* SPDX-License-Identifier: MIT */
/* The lines of a source file. */
#pragma once

#include <stddef.h>

struct source_file {
	char *text;
	char **line; /* from 0, without line ends */
	size_t count;
};

/* 0, or a negative errno when it cannot be read; source_file_done() in any case. */
int source_file_read(const char *path, struct source_file *ret_source);
void source_file_done(struct source_file *source);

/* Line @number, which counts from 1, or NULL when the file has none. */
const char *source_file_line(const struct source_file *source, unsigned number);

/* The nearest line at or above @line, but at most @reach above, that has @word; 0: none has. */
unsigned source_file_find_above(const struct source_file *source, unsigned line, unsigned reach,
				const char *word);
