/* SPDX-License-Identifier: MIT */
/* Files of /proc, read anew at each call; nothing is kept: threads come and go. */

#include "cli/collect/task_status.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbolize/util.h"

/* Reads a small file of a thread, or with @tid 0 of the process, into @text; its length, or -1. */
static ssize_t read_file(pid_t pid, pid_t tid, const char *name, char *text, size_t size)
{
	char path[96];
	ssize_t length;
	AUTO_CLOSE int fd = -1;

	if (tid > 0)
		snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", (int)pid, (int)tid, name);
	else
		snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	length = fd < 0 ? -1 : read(fd, text, size - 1);
	text[length > 0 ? length : 0] = '\0';
	return length;
}

/* What follows "\nNAME:" in @text, or NULL. */
static const char *field(const char *text, const char *name)
{
	const char *found = strstr(text, name);

	return found ? found + strlen(name) : NULL;
}

bool task_status_read(pid_t pid, pid_t tid, struct task_status *ret_status)
{
	char text[4096];
	const char *caught, *blocked, *seccomp, *state;

	if (read_file(pid, tid, "status", text, sizeof(text)) <= 0)
		return false;
	caught = field(text, "\nSigCgt:\t");
	blocked = field(text, "\nSigBlk:\t");
	state = field(text, "\nState:\t");
	seccomp = field(text, "\nSeccomp:\t");
	if (!caught || !blocked || !state)
		return false;
	*ret_status = (struct task_status){
		.caught = strtoull(caught, NULL, 16),
		.blocked = strtoull(blocked, NULL, 16),
		.seccomp = seccomp && *seccomp != '0',
		.state = *state,
	};
	return true;
}

bool task_stat_read(pid_t pid, pid_t tid, struct task_stat *ret_stat)
{
	const char *rest;
	char text[1024];

	if (read_file(pid, tid, "stat", text, sizeof(text)) <= 0)
		return false;
	/* The name may hold anything, parentheses as well. */
	rest = strrchr(text, ')');
	return rest && sscanf(rest + 1,
			      " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64
			      " %" SCNu64 " %" SCNu64,
			      &ret_stat->state, &ret_stat->user, &ret_stat->system,
			      &ret_stat->waited_user, &ret_stat->waited_system) == 5;
}

unsigned task_count(pid_t pid)
{
	struct stat status;
	char path[64];

	/* A directory's links are itself, its parent's and, here, one for each thread. */
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	return stat(path, &status) == 0 && status.st_nlink > 2 ? (unsigned)status.st_nlink - 2 : 0;
}

int task_each(pid_t pid, int (*function)(pid_t tid, void *data), void *data)
{
	struct dirent *entry;
	char path[64];
	DIR *directory;
	int r = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	directory = opendir(path);
	if (!directory)
		return 0;
	while (r == 0 && (entry = readdir(directory))) {
		if (entry->d_name[0] != '.')
			r = function((pid_t)atoi(entry->d_name), data);
	}
	closedir(directory);
	return r;
}

int task_each_timer(pid_t pid, int (*function)(pid_t tid, void *data), void *data)
{
	char path[64], line[256];
	FILE *file;
	int tid, r = 0;

	snprintf(path, sizeof(path), "/proc/%d/timers", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return -ENOENT;
	while (r == 0 && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "notify: signal/tid.%d", &tid) == 1)
			r = function(tid, data);
	}
	fclose(file);
	return r;
}

int task_each_child(pid_t pid, pid_t tid, int (*function)(pid_t child, void *data), void *data)
{
	char text[4096], *at = text, *next;
	int r = 0;

	if (read_file(pid, tid, "children", text, sizeof(text)) <= 0)
		return 0;
	for (; r == 0; at = next) {
		long child = strtol(at, &next, 10);

		/* A number that was cut off is another process's. */
		if (next == at || *next != ' ')
			break;
		r = function((pid_t)child, data);
	}
	return r;
}

bool task_clock_read(pid_t pid, pid_t tid, uint64_t *ret_ran, uint64_t *ret_waited)
{
	char text[96], *end;

	if (read_file(pid, tid, "schedstat", text, sizeof(text)) <= 0)
		return false;
	*ret_ran = strtoull(text, &end, 10);
	*ret_waited = strtoull(end, NULL, 10);
	return true;
}

int task_program_read(pid_t pid, struct task_program *ret_program)
{
	char path[64] = "/proc/self/exe";
	struct stat status;

	if (pid > 0)
		snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	if (stat(path, &status) < 0)
		return -errno;
	*ret_program = (struct task_program){.device = status.st_dev, .inode = status.st_ino};
	return 0;
}

void task_name_read(pid_t pid, pid_t tid, char *name, size_t size)
{
	read_file(pid, tid, "comm", name, size);
	name[strcspn(name, "\n")] = '\0';
}
