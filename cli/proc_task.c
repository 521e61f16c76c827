/* SPDX-License-Identifier: MIT */
/* Reads /proc anew at each call, and keeps nothing: threads come and go. */

#include "cli/proc_task.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbolize/util.h"

/* Reads the file @name of the thread as text; its length, or -1. */
static ssize_t read_text(pid_t pid, pid_t tid, const char *name, char *text, size_t size)
{
	char path[96];
	ssize_t length;
	AUTO_CLOSE int fd = -1;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", (int)pid, (int)tid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	length = fd < 0 ? -1 : read(fd, text, size - 1);
	text[length < 0 ? 0 : length] = '\0';
	return length;
}

bool proc_task_clock(pid_t pid, pid_t tid, uint64_t *ret_ran, uint64_t *ret_waited)
{
	char text[96], *end;

	if (read_text(pid, tid, "schedstat", text, sizeof(text)) <= 0)
		return false;
	*ret_ran = strtoull(text, &end, 10);
	*ret_waited = strtoull(end, NULL, 10);
	return true;
}

int proc_task_program(pid_t pid, struct proc_program *ret_program)
{
	char path[64] = "/proc/self/exe";
	struct stat status;

	if (pid > 0)
		snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	if (stat(path, &status) < 0)
		return -errno;
	*ret_program = (struct proc_program){.device = status.st_dev, .inode = status.st_ino};
	return 0;
}

void proc_task_name(pid_t pid, pid_t tid, char *name, size_t size)
{
	read_text(pid, tid, "comm", name, size);
	name[strcspn(name, "\n")] = '\0';
}
