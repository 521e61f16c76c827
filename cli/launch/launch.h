/* SPDX-License-Identifier: MIT */
/*
 * Runs the target as if profrun were not there: its streams, process group, signals, job control
 * and exit status are those of a bare run.
 */
#pragma once

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "symbolize/error.h"

/* What the owner of the run wants done around and during the wait. Any member may be NULL. */
struct launch_hooks {
	void *data;
	/*
	 * In the child before exec, with all signals blocked. It is a process of its own that
	 * still shares profrun's memory: async-signal-safe, and it writes nothing that profrun
	 * reads. A negative errno: the target is not run.
	 */
	int (*child)(void *data);
	/* In profrun, once, when the child exists (it has not executed the target yet). */
	void (*started)(void *data, pid_t pid);
	/*
	 * The target has stopped, as wait(2) says with @status. True: that was the owner's doing,
	 * who has let it go.
	 */
	bool (*stopped)(void *data, int status);
	/*
	 * Called in the wait loop, first when the target is being executed; returns in how many
	 * milliseconds it wants to be called again, negative: only when work_fd is readable. Not
	 * called while target and profrun are stopped.
	 */
	int (*work)(void *data);
	/* A descriptor that calls work() (which reads it empty) when it is readable; -1: none. */
	int work_fd;
};

struct launch_target {
	const char *path; /* what to exec: already searched in PATH */
	char **argv;
	char **environment; /* the whole environment of the target */
};

struct launch_result {
	int wait_status;     /* waitpid(2)'s */
	struct rusage usage; /* wait4(2)'s: the target and the descendants it waited for */
	double elapsed_seconds;
};

/*
 * The first call of main(): standard streams that profrun was started without are closed for the
 * target too, but profrun must not get their numbers for files of its own.
 */
void launch_guard_streams(void);

/*
 * Starts the target, waits for it (passing on signals, stopping and continuing with it), returns 0
 * and *ret_result when it ended, or a negative errno with *err when it could not be started
 * (-ENOENT: there is no such file, or not the interpreter that it asks for).
 *
 * The target gets the signal mask and the dispositions that the caller has, so the caller has
 * changed neither since profrun started, and every descriptor of profrun's own is O_CLOEXEC.
 */
int launch_run(const struct launch_target *target, const struct launch_hooks *hooks,
	       struct launch_result *ret_result, struct error *err);

/*
 * From the end of the target on, for two seconds, what would end profrun does not: the report is
 * still to be written, and a second Ctrl-C was meant for the target. launch_run() sees to it.
 */
void launch_outlive_haste(void);

/*
 * Ends profrun as the target ended: the same exit status, or death by the same signal (no core).
 * Handlers of atexit(3) run in the first case only.
 */
_Noreturn void launch_exit_like(int wait_status);
