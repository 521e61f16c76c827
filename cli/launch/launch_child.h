/* SPDX-License-Identifier: MIT */
/* The process that becomes the target, from fork to exec. */
#pragma once

#include <sys/types.h>

#include "cli/launch/launch.h"
#include "cli/launch/launch_signals.h"

struct launch_child {
	const struct launch_target *target;
	const struct launch_hooks *hooks;
	const struct launch_signals *signals;
	pid_t pid;
	int fd;		   /* connected to the child until it executes the target */
	int own_fd;	   /* the child's end */
	void *stack;	   /* the child's; it shares all other memory */
	char **shell_argv; /* for a file that only a shell can read, as execvp(3) does */
};

/* Makes a child that waits for go. 0 or a negative errno; done() in both cases. */
int launch_child_start(struct launch_child *child, const struct launch_target *target,
		       const struct launch_hooks *hooks, const struct launch_signals *signals);
void launch_child_go(struct launch_child *child);

/* After its end: 0 when it had executed the target, else a negative errno with *err. */
int launch_child_failure(struct launch_child *child, struct error *err);
void launch_child_done(struct launch_child *child);
