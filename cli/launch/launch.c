/* SPDX-License-Identifier: MIT */
/*
 * The target is a child that profrun waits for in one poll loop: its end and its stops, the
 * signals that have to be passed on to it, and the caller's work.
 */

#include "cli/launch/launch.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/launch/launch_child.h"
#include "cli/launch/launch_signals.h"
#include "cli/monotonic.h"
#include "symbolize/util.h"

struct launch {
	const struct launch_target *target;
	const struct launch_hooks *hooks;
	struct launch_signals signals;
	struct launch_child child;
	int work_fd;
	double work_at; /* when work() is due; negative: never */
};

/* Calls work() when it is due. Returns the milliseconds until it is due again, or -1. */
static int work(struct launch *launch, short events)
{
	int interval, remaining;

	if (!launch->hooks->work)
		return -1;
	if (events || (launch->work_at >= 0 && monotonic_seconds() >= launch->work_at)) {
		interval = launch->hooks->work(launch->hooks->data);
		launch->work_at = interval < 0 ? -1 : monotonic_seconds() + interval / 1e3;
	}
	/* A descriptor that is only broken would call for ever. */
	if (events && !(events & POLLIN))
		launch->work_fd = -1;
	if (launch->work_at < 0)
		return -1;
	remaining = (int)((launch->work_at - monotonic_seconds()) * 1e3) + 1;
	return remaining > 0 ? remaining : 0;
}

static int sooner(int a, int b)
{
	if (a < 0)
		return b;
	return b < 0 || a < b ? a : b;
}

/* Of a stop that its own tracer asked for nobody else is told. */
static bool is_own_stop(const struct launch *launch, int status)
{
	const struct launch_hooks *hooks = launch->hooks;

	return hooks->stopped && hooks->stopped(hooks->data, status);
}

/* Has the target ended? When it stopped, profrun stops here too. */
static bool has_ended(struct launch *launch, struct launch_result *result)
{
	pid_t pid = launch->child.pid;
	int status;

	while (wait4(pid, &status, WNOHANG | WUNTRACED, &result->usage) == pid) {
		if (!WIFSTOPPED(status)) {
			result->wait_status = status;
			return true;
		}
		if (!is_own_stop(launch, status))
			launch_signals_stop(&launch->signals, pid, WSTOPSIG(status));
	}
	return false;
}

static void wait_for_end(struct launch *launch, struct launch_result *result)
{
	pid_t pid = launch->child.pid;
	short work_events = 0;
	int timeout;

	for (;;) {
		/* Reading takes the news of an end or a stop, so that one has to look after it. */
		timeout = launch_signals_renew(&launch->signals, pid);
		launch_signals_read(&launch->signals, pid);
		if (has_ended(launch, result))
			break;
		timeout = sooner(timeout, launch_signals_release(&launch->signals, pid));
		timeout = sooner(timeout, work(launch, work_events));

		struct pollfd fds[] = {
			{.fd = launch->signals.fd, .events = POLLIN},
			{.fd = launch->work_fd, .events = POLLIN},
		};

		poll(fds, ARRAY_SIZE(fds), timeout);
		work_events = fds[1].revents;
	}
	/* Signals that were on their way to a target that has ended are not for profrun. */
	launch_signals_read(&launch->signals, 0);
}

static int start_and_wait(struct launch *launch, struct launch_result *result, struct error *err)
{
	double start;
	int code;

	code = launch_child_start(&launch->child, launch->target, launch->hooks, &launch->signals);
	if (code < 0)
		return error_set(err, code, "cannot start a process: ");
	if (launch->hooks->started)
		launch->hooks->started(launch->hooks->data, launch->child.pid);
	launch_signals_catch_up(&launch->signals, launch->child.pid);
	start = monotonic_seconds();
	launch_child_go(&launch->child);
	wait_for_end(launch, result);
	result->elapsed_seconds = monotonic_seconds() - start;
	return launch_child_failure(&launch->child, err);
}

int launch_run(const struct launch_target *target, const struct launch_hooks *hooks,
	       struct launch_result *ret_result, struct error *err)
{
	struct launch launch = {.target = target, .hooks = hooks, .work_fd = hooks->work_fd};
	struct launch_result result = {0};
	int code;

	code = launch_signals_init(&launch.signals);
	if (code < 0) {
		error_set(err, code, "cannot wait for signals: ");
	} else {
		code = start_and_wait(&launch, &result, err);
		launch_outlive_haste();
		launch_child_done(&launch.child);
	}
	launch_signals_done(&launch.signals);
	if (code == 0)
		*ret_result = result;
	return code;
}
