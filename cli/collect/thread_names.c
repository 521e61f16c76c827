/* SPDX-License-Identifier: MIT */
/* Reads /proc/PID/task; what a thread was called is kept after it ended. */

#include "cli/collect/thread_names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/grow.h"
#include "symbolize/util.h"

#define OFTEN 16 /* looks that are made each time; later ones every so many times */

struct thread_name {
	pid_t tid;
	char text[16];
};

struct thread_names {
	struct thread_name *names; /* sorted by tid */
	size_t count, room;
	unsigned looks;
};

struct thread_names *thread_names_new(void)
{
	return calloc(1, sizeof(struct thread_names));
}

void thread_names_free(struct thread_names *names)
{
	if (!names)
		return;
	free(names->names);
	free(names);
}

/* The index of the first name of a thread id that is not below @tid. */
static size_t lower_bound(const struct thread_names *names, pid_t tid)
{
	size_t low = 0, high = names->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (names->names[middle].tid < tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const char *thread_names_find(const struct thread_names *names, pid_t tid)
{
	size_t at = lower_bound(names, tid);

	return at < names->count && names->names[at].tid == tid ? names->names[at].text : NULL;
}

static bool read_name(int directory, const char *tid, char text[16])
{
	char path[64];
	ssize_t length;
	AUTO_CLOSE int fd = -1;

	snprintf(path, sizeof(path), "%.20s/comm", tid);
	fd = openat(directory, path, O_RDONLY | O_CLOEXEC);
	length = fd < 0 ? -1 : read(fd, text, 15);
	if (length <= 0)
		return false;
	text[length] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return true;
}

static int set(struct thread_names *names, pid_t tid, const char text[16])
{
	size_t at = lower_bound(names, tid);

	if (at == names->count || names->names[at].tid != tid) {
		if (!grow(&names->names, names->count + 1, &names->room))
			return -ENOMEM;
		memmove(names->names + at + 1, names->names + at,
			(names->count - at) * sizeof(*names->names));
		names->count++;
		names->names[at].tid = tid;
	}
	memcpy(names->names[at].text, text, sizeof(names->names[at].text));
	return 0;
}

int thread_names_look(struct thread_names *names, pid_t pid)
{
	char path[64], text[16] = "";
	struct dirent *entry;
	DIR *directory;
	int r = 0;

	if (names->looks++ >= OFTEN && names->looks % OFTEN != 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	directory = opendir(path);
	if (!directory)
		return 0;
	while (r == 0 && (entry = readdir(directory))) {
		if (entry->d_name[0] != '.' && read_name(dirfd(directory), entry->d_name, text))
			r = set(names, (pid_t)atoi(entry->d_name), text);
	}
	closedir(directory);
	return r;
}
