/* SPDX-License-Identifier: MIT */
/* Down the tree of processes by /proc/PID/task/TID/children, see proc(5). */

#include "cli/collect/process_times.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/collect/task_status.h"
#include "symbolize/util.h"

struct times {
	double user, system;
	unsigned depth;
	pid_t pid;
};

/* Trees are not deep; one that changes under us should not lead us round in it. */
#define DEPTH_MAX 64

static void add_own(pid_t pid, struct times *times)
{
	char path[48], line[1024];
	long own_user, own_system, waited_user, waited_system;
	const char *end;
	AUTO_FILE FILE *stat = NULL;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	stat = fopen(path, "re");
	if (!stat || !fgets(line, sizeof(line), stat))
		return;
	/* The program's name may hold anything. */
	end = strrchr(line, ')');
	if (!end || sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld %ld %ld",
			   &own_user, &own_system, &waited_user, &waited_system) != 4)
		return;
	times->user += (double)(own_user + waited_user) / (double)sysconf(_SC_CLK_TCK);
	times->system += (double)(own_system + waited_system) / (double)sysconf(_SC_CLK_TCK);
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
