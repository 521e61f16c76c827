/* SPDX-License-Identifier: MIT */
/* The launcher alone, as a program: what profrun does around it is not needed to test it. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/launch.h"

int main(int argc, char **argv)
{
	struct launch_hooks hooks = {.work_fd = -1};
	struct launch_target target = {.environment = environ};
	struct launch_result result;
	struct error err;
	int code;

	if (argc < 2 || launch_guard_streams() < 0)
		return 125;
	target.path = argv[1];
	target.argv = argv + 1;
	code = launch_run(&target, &hooks, &result, &err);
	if (code == 0)
		launch_exit_like(result.wait_status);
	fprintf(stderr, "launch_driver: %s\n", err.text);
	return code == -ENOENT ? 127 : 126;
}
