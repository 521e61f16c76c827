/* SPDX-License-Identifier: MIT */
/*
 * launch_driver PROGRAM [ARG...]: the launcher alone, as a program.
 * launch_driver --examine PROGRAM: what preflight finds.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/launch/launch.h"
#include "cli/launch/preflight.h"

/* What preflight says about a program, one member a line. */
static int examine(const char *program)
{
	static const char *const verdicts[] = {
		[PREFLIGHT_OK] = "ok",
		[PREFLIGHT_NOT_PROFILED] = "not profiled",
		[PREFLIGHT_NOT_FOUND] = "not found",
		[PREFLIGHT_NOT_RUNNABLE] = "not runnable",
	};
	struct preflight result;

	preflight_examine(program, &result);
	printf("verdict: %s\npath: %s\ninterpreter: %s\nreason: %s\nhint: %s\n"
	       "keep out: %d\n",
	       verdicts[result.verdict], result.path ? result.path : "",
	       result.interpreter ? result.interpreter : "", result.reason, result.hint,
	       result.keep_out);
	preflight_done(&result);
	return 0;
}

static int run(char **argv, const char *path)
{
	struct launch_hooks hooks = {.work_fd = -1};
	struct launch_target target = {.path = path, .argv = argv, .environment = environ};
	struct launch_result result;
	struct error err;
	int code;

	code = launch_run(&target, &hooks, &result, &err);
	if (code == 0)
		launch_exit_like(result.wait_status);
	fprintf(stderr, "launch_driver: %s\n", err.text);
	return code == -ENOENT ? 127 : 126;
}

int main(int argc, char **argv)
{
	struct preflight preflight;
	int status;

	launch_guard_streams();
	if (argc < 2)
		return 125;
	if (strcmp(argv[1], "--examine") == 0 && argc == 3)
		return examine(argv[2]);
	preflight_examine(argv[1], &preflight);
	status = run(argv + 1, preflight.path ? preflight.path : argv[1]);
	preflight_done(&preflight);
	return status;
}
