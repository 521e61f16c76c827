/* SPDX-License-Identifier: MIT */
/* A hash table that doubles when it is half full. Pids are nearly consecutive: they hash to
 * themselves. */

#include "cli/collect/pid_counts.h"

#include <stdbool.h>
#include <stdlib.h>

static struct pid_count *find(const struct pid_counts *counts, pid_t pid)
{
	size_t at = (size_t)pid & (counts->room - 1);

	while (counts->entries[at].pid != 0 && counts->entries[at].pid != pid)
		at = (at + 1) & (counts->room - 1);
	return &counts->entries[at];
}

static bool make_room(struct pid_counts *counts)
{
	struct pid_counts larger = {.used = counts->used, .room = counts->room * 2};

	if (counts->used < counts->room / 2)
		return true;
	if (larger.room == 0)
		larger.room = 64;
	larger.entries = calloc(larger.room, sizeof(*larger.entries));
	if (!larger.entries)
		return false;
	for (size_t i = 0; i < counts->room; i++) {
		if (counts->entries[i].pid != 0)
			*find(&larger, counts->entries[i].pid) = counts->entries[i];
	}
	free(counts->entries);
	*counts = larger;
	return true;
}

unsigned *pid_counts_at(struct pid_counts *counts, pid_t pid)
{
	struct pid_count *entry;

	if (!make_room(counts))
		return NULL;
	entry = find(counts, pid);
	if (entry->pid == 0) {
		entry->pid = pid;
		counts->used++;
	}
	return &entry->count;
}

void pid_counts_done(struct pid_counts *counts)
{
	free(counts->entries);
	*counts = (struct pid_counts){0};
}
