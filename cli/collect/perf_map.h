/* SPDX-License-Identifier: MIT */
/*
 * /tmp/perf-PID.map: what programs that make code at run time call it, for whoever profiles them. A
 * line is "START SIZE NAME", numbers in hexadecimal; where lines overlap the later one holds, since
 * memory is used again.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

#include "cli/profile/string_pool.h"

/* A pc that is asked for, and what it is called: NULL if nobody says. */
struct perf_map_name {
	uint64_t pc;
	const char *name; /* of the pool */
};

/*
 * Opens the map of @pid, as it names itself where it runs, or a negative errno. Only a regular file
 * of the process's user that was written since @since is one; links are not followed. Once the
 * process has ended only a file in profrun's own /tmp can be found.
 */
int perf_map_open(pid_t pid, time_t since);

/*
 * Reads a map and names the pcs in it; @names are sorted by .pc. *ret_bad is the number of lines
 * that make no sense. 0 or -ENOMEM. A map that is too long, or takes too long, is read in part.
 */
int perf_map_read(FILE *stream, struct perf_map_name *names, size_t count, struct string_pool *pool,
		  unsigned *ret_bad);
