/* SPDX-License-Identifier: MIT */
/* Down the tree of processes by /proc/PID/task/TID/children, see proc(5). */

#include "cli/collect/process_times.h"

#include <unistd.h>

#include "cli/collect/task_status.h"

struct times {
	double user, system;
	unsigned depth;
	pid_t pid;
};

/* Trees are not deep; one that changes under us should not lead us round in it. */
#define DEPTH_MAX 64

static void add_own(pid_t pid, struct times *times)
{
	const double second = (double)sysconf(_SC_CLK_TCK);
	struct task_stat stat;

	if (!task_stat_read(pid, 0, &stat))
		return;
	times->user += (double)(stat.user + stat.waited_user) / second;
	times->system += (double)(stat.system + stat.waited_system) / second;
}

static int add_tree(pid_t pid, void *data);

static int add_children(pid_t tid, void *data)
{
	struct times *times = data;

	task_each_child(times->pid, tid, add_tree, times);
	return 0;
}

static int add_tree(pid_t pid, void *data)
{
	struct times *times = data;
	pid_t parent = times->pid;

	add_own(pid, times);
	if (times->depth++ < DEPTH_MAX) {
		times->pid = pid;
		task_each(pid, add_children, times);
		times->pid = parent;
	}
	times->depth--;
	return 0;
}

void process_times_add(pid_t pid, double *user, double *system)
{
	struct times times = {.user = *user, .system = *system};

	add_tree(pid, &times);
	*user = times.user;
	*system = times.system;
}
