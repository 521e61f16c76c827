/* SPDX-License-Identifier: MIT */
/* Reads /proc/self/task without opendir(3), which allocates from the program's heap. */

#include "libsample/tasks.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>

#include "libsample/sys.h"

static int each_in(const char *buffer, long size, int (*function)(int tid))
{
	for (long at = 0; at < size;) {
		/* struct linux_dirent64 is what glibc's struct dirent64 mirrors. */
		const struct dirent64 *entry = (const void *)(buffer + at);
		int tid = (int)strtoul(entry->d_name, NULL, 10);
		int r = tid > 0 ? function(tid) : 0;

		if (r != 0)
			return r;
		at += entry->d_reclen;
	}
	return 0;
}

int tasks_each(int (*function)(int tid))
{
	char buffer[2048] __attribute__((aligned(8)));
	int fd = (int)sys_call(SYS_openat, AT_FDCWD, "/proc/self/task",
			       O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	long size;
	int r = 0;

	if (fd < 0)
		return fd;
	while (r == 0 && (size = sys_call(SYS_getdents64, fd, buffer, sizeof(buffer))) != 0)
		r = size < 0 ? (int)size : each_in(buffer, size, function);
	sys_call(SYS_close, fd);
	return r;
}
