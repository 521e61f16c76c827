/* SPDX-License-Identifier: MIT */
/*
 * The snapshots of the last seconds. Objects, processes and threads have numbers of their own in
 * each, mostly the same ones, since new ones stand at the end.
 */

#include "cli/live/recent.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbolize/util.h"

/* One of each half second, and some more where others come late. */
#define KEPT_MAX 32

#define NOWHERE UINT32_MAX

struct recent {
	struct {
		int fd;
		double elapsed;
	} kept[KEPT_MAX]; /* the oldest first */
	size_t count;
};

struct recent *recent_new(void)
{
	return calloc(1, sizeof(struct recent));
}

static void drop_oldest(struct recent *recent)
{
	close(recent->kept[0].fd);
	recent->count--;
	memmove(&recent->kept[0], &recent->kept[1], recent->count * sizeof(recent->kept[0]));
}

void recent_free(struct recent *recent)
{
	while (recent && recent->count > 0)
		drop_oldest(recent);
	free(recent);
}

void recent_keep(struct recent *recent, int fd, double elapsed)
{
	if (recent->count == KEPT_MAX)
		drop_oldest(recent);
	recent->kept[recent->count].fd = fd;
	recent->kept[recent->count++].elapsed = elapsed;
	/* One that is old enough is needed. */
	while (recent->count > 1 && recent->kept[1].elapsed <= elapsed - RECENT_SECONDS)
		drop_oldest(recent);
}

int recent_newest(const struct recent *recent)
{
	return recent->count ? recent->kept[recent->count - 1].fd : -1;
}

int recent_earlier(const struct recent *recent)
{
	double newest = recent->count ? recent->kept[recent->count - 1].elapsed : 0;

	return newest >= RECENT_SECONDS && recent->count > 1 ? recent->kept[0].fd : -1;
}

/* The numbers of @earlier's things in @profile. */
struct numbers {
	uint32_t *object, *process, *thread;
};

static uint32_t find_process(const struct profile *profile, const struct profile_process *process,
			     uint32_t likely)
{
	for (size_t i = 0; i <= profile->process_count; i++) {
		/* The likely one first. */
		uint32_t at = i == 0 ? likely : (uint32_t)i - 1;

		if (at < profile->process_count && profile->processes[at].pid == process->pid &&
		    profile->processes[at].image == process->image)
			return at;
	}
	return NOWHERE;
}

static uint32_t find_thread(const struct profile *profile, pid_t tid, uint32_t process,
			    uint32_t likely)
{
	for (size_t i = 0; i <= profile->thread_count; i++) {
		uint32_t at = i == 0 ? likely : (uint32_t)i - 1;

		if (at < profile->thread_count && profile->threads[at].tid == tid &&
		    profile->threads[at].process == process)
			return at;
	}
	return NOWHERE;
}

static int find_numbers(struct profile *profile, const struct profile *earlier,
			const struct numbers *numbers)
{
	for (uint32_t i = 0; i < earlier->object_count; i++) {
		int64_t index = profile_add_object(profile, &earlier->objects[i]);

		if (index < 0)
			return (int)index;
		numbers->object[i] = (uint32_t)index;
	}
	for (uint32_t i = 0; i < earlier->process_count; i++)
		numbers->process[i] = find_process(profile, &earlier->processes[i], i);
	for (uint32_t i = 0; i < earlier->thread_count; i++)
		numbers->thread[i] = find_thread(profile, earlier->threads[i].tid,
						 numbers->process[earlier->threads[i].process], i);
	return 0;
}

static void renumber(struct profile *earlier, const struct numbers *numbers)
{
	for (size_t i = 0; i < earlier->entry_count; i++) {
		struct profile_entry *entry = &earlier->entries[i];

		entry->object = numbers->object[entry->object];
		entry->process = numbers->process[entry->process];
		entry->thread = entry->thread ? numbers->thread[entry->thread - 1] + 1 : 0;
	}
}

static int compare(const void *left, const void *right)
{
	const struct profile_entry *a = left, *b = right;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->size > b->size) - (a->size < b->size);
}

static void sort(struct profile *profile)
{
	if (profile->entry_count)
		qsort(profile->entries, profile->entry_count, sizeof(*profile->entries), compare);
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static void subtract(struct profile *profile, const struct profile *earlier)
{
	uint64_t before = profile->ticks;
	size_t at = 0, kept = 0;

	profile->ticks = 0;
	for (size_t i = 0; i < profile->entry_count; i++) {
		struct profile_entry entry = profile->entries[i];

		while (at < earlier->entry_count && compare(&earlier->entries[at], &entry) < 0)
			at++;
		if (at < earlier->entry_count && compare(&earlier->entries[at], &entry) == 0) {
			entry.ticks = less(entry.ticks, earlier->entries[at].ticks);
			entry.kernel = less(entry.kernel, earlier->entries[at].kernel);
		}
		if (entry.ticks == 0)
			continue;
		profile->ticks += entry.ticks;
		profile->entries[kept++] = entry;
	}
	profile->entry_count = kept;
	if (before)
		profile->effective_ticks *= (double)profile->ticks / (double)before;
}

int recent_subtract(struct profile *profile, struct profile *earlier)
{
	AUTO_FREE uint32_t *object = calloc(earlier->object_count + 1, sizeof(*object));
	AUTO_FREE uint32_t *process = calloc(earlier->process_count + 1, sizeof(*process));
	AUTO_FREE uint32_t *thread = calloc(earlier->thread_count + 1, sizeof(*thread));
	const struct numbers numbers = {object, process, thread};
	int r;

	if (!object || !process || !thread)
		return -ENOMEM;
	r = find_numbers(profile, earlier, &numbers);
	if (r < 0)
		return r;
	renumber(earlier, &numbers);
	sort(earlier);
	sort(profile);
	subtract(profile, earlier);
	return 0;
}
