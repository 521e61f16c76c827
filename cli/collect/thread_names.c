/* SPDX-License-Identifier: MIT */
/* Reads /proc/PID/task; what a thread was called is kept after it ended. */

#include "cli/collect/thread_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/collect/task_status.h"
#include "cli/grow.h"

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

struct look {
	struct thread_names *names;
	pid_t pid;
};

static int look_at(pid_t tid, void *data)
{
	const struct look *look = data;
	char text[sizeof(look->names->names->text)];

	task_name_read(look->pid, tid, text, sizeof(text));
	return text[0] ? set(look->names, tid, text) : 0;
}

int thread_names_look(struct thread_names *names, pid_t pid)
{
	struct look look = {.names = names, .pid = pid};

	if (names->looks++ >= OFTEN && names->looks % OFTEN != 0)
		return 0;
	return task_each(pid, look_at, &look);
}
