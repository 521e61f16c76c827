/* SPDX-License-Identifier: MIT */
/*
 * A pprof file on its way out. The format lets a message be written in pieces that are joined, so
 * each string, function and sample is written when it is known, and none is kept.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "cli/pprof.pb-c.h"

struct pprof_stream;

struct pprof_stream *pprof_stream_open(FILE *stream);

/*
 * The first error that occurred, of any of the following, or 0: writers need not check each. The
 * stream is gone.
 */
int pprof_stream_close(struct pprof_stream *stream);

/* The index of @text in the string table (NULL is "", 0). */
int64_t pprof_stream_string(struct pprof_stream *stream, const char *text);

/* The id of the function, written when it is new. @system_name "" marks what is no name. */
uint64_t pprof_stream_function(struct pprof_stream *stream, const char *name,
			       const char *system_name, const char *file);

/* Writes one piece: a Profile in which only what is to be added is set. */
void pprof_stream_put(struct pprof_stream *stream, const Pprof__Profile *piece);
