/* SPDX-License-Identifier: MIT */
/*
 * The only place where tests start processes. A child that a test forks would return into
 * Criterion's runner and hang it; posix_spawn leaves no such child.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

struct spawn_result {
	int wait_status; /* as waitpid(2) gave it */
	char *output;	 /* what it wrote to stdout, NUL-terminated */
	size_t output_size;
	char *errors; /* the same for stderr */
	size_t errors_size;
};

/*
 * Runs argv[0] (searched in PATH) with stdin from /dev/null until it ends. @environment NULL: ours.
 * 0 with *ret_result to be given to spawn_done(), or a negative errno.
 */
int spawn_run(char *const argv[], char *const environment[], struct spawn_result *ret_result);
void spawn_done(struct spawn_result *result);

/* Starts argv[0] with our streams and does not wait. 0 and *ret_pid, or a negative errno. */
int spawn_start(char *const argv[], char *const environment[], pid_t *ret_pid);
