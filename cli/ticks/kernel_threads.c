/* SPDX-License-Identifier: MIT */
/* A sorted array: new thread ids are mostly the highest, so that adding one moves nothing. */

#include "cli/ticks/kernel_threads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"

void kernel_threads_done(struct kernel_threads *threads)
{
	free(threads->threads);
	*threads = (struct kernel_threads){.count = 0};
}

static size_t lower_bound(const struct kernel_threads *threads, pid_t tid)
{
	size_t low = 0, high = threads->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (threads->threads[middle].tid < tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct kernel_thread *find(const struct kernel_threads *threads, pid_t tid)
{
	size_t at = lower_bound(threads, tid);

	return at < threads->count && threads->threads[at].tid == tid ? &threads->threads[at]
								      : NULL;
}

static struct kernel_thread *find_or_add(struct kernel_threads *threads, pid_t tid)
{
	size_t at = lower_bound(threads, tid);
	struct kernel_thread *thread;

	if (at < threads->count && threads->threads[at].tid == tid)
		return &threads->threads[at];
	if (!grow(&threads->threads, threads->count + 1, &threads->room))
		return NULL;
	thread = &threads->threads[at];
	memmove(thread + 1, thread, (threads->count - at) * sizeof(*thread));
	threads->count++;
	*thread = (struct kernel_thread){.tid = tid};
	return thread;
}

int kernel_threads_name(struct kernel_threads *threads, struct profile *profile, pid_t tid,
			const char *name)
{
	struct kernel_thread *thread = find_or_add(threads, tid);
	const char *kept;

	if (!thread)
		return -ENOMEM;
	snprintf(thread->name, sizeof(thread->name), "%s", name);
	if (!thread->number)
		return 0;
	kept = string_pool_add(profile->strings, thread->name);
	if (kept)
		profile->threads[thread->number - 1].name = kept;
	return kept ? 0 : -ENOMEM;
}

const char *kernel_threads_find_name(const struct kernel_threads *threads, pid_t tid)
{
	const struct kernel_thread *thread = find(threads, tid);

	return thread ? thread->name : "";
}

void kernel_threads_remove(struct kernel_threads *threads, pid_t tid)
{
	struct kernel_thread *thread = find(threads, tid);

	if (!thread)
		return;
	threads->count--;
	memmove(thread, thread + 1,
		(size_t)(threads->threads + threads->count - thread) * sizeof(*thread));
}

int64_t kernel_threads_number(struct kernel_threads *threads, struct profile *profile,
			      uint32_t process, pid_t tid)
{
	struct kernel_thread *thread = find_or_add(threads, tid);
	struct profile_thread added = {.process = process, .tid = tid};
	int64_t number;

	if (!thread)
		return -ENOMEM;
	if (thread->number)
		return thread->number;
	added.name = thread->name;
	number = profile_add_thread(profile, &added);
	if (number > 0)
		thread->number = (uint32_t)number;
	return number;
}
