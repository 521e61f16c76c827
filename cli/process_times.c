/* SPDX-License-Identifier: MIT */
/* Down the tree of processes by /proc/PID/task/TID/children, see proc(5). */

#include "cli/process_times.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbolize/util.h"

/* Trees are not deep; one that changes under us should not lead us round in it. */
#define DEPTH_MAX 64

static void add_own(pid_t pid, double *user, double *system)
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
	*user += (double)(own_user + waited_user) / (double)sysconf(_SC_CLK_TCK);
	*system += (double)(own_system + waited_system) / (double)sysconf(_SC_CLK_TCK);
}

static void add_tree(pid_t pid, unsigned depth, double *user, double *system);

static void add_children(pid_t pid, const char *tid, unsigned depth, double *user, double *system)
{
	char path[64];
	int child;
	AUTO_FILE FILE *children = NULL;

	snprintf(path, sizeof(path), "/proc/%d/task/%.16s/children", (int)pid, tid);
	children = fopen(path, "re");
	while (children && fscanf(children, "%d", &child) == 1)
		add_tree(child, depth + 1, user, system);
}

static void add_tree(pid_t pid, unsigned depth, double *user, double *system)
{
	char path[48];
	struct dirent *task;
	DIR *tasks;

	add_own(pid, user, system);
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = depth < DEPTH_MAX ? opendir(path) : NULL;
	while (tasks && (task = readdir(tasks))) {
		if (task->d_name[0] != '.')
			add_children(pid, task->d_name, depth, user, system);
	}
	if (tasks)
		closedir(tasks);
}

void process_times_add(pid_t pid, double *user, double *system)
{
	add_tree(pid, 0, user, system);
}
