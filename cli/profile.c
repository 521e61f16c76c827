/* SPDX-License-Identifier: MIT */
/*
 * The profile of one run. Entries are found again by a hash table of their indices, open addressed
 * and at most half full, so that a million buckets are merged in well under a second.
 */

#include "cli/profile.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "symbolize/util.h"

/* Slots hold an index + 1; 0 is a free one. */
struct profile_index {
	uint32_t *slots;
	size_t slot_count; /* a power of two */
	size_t entry_room;
	size_t object_room, process_room, note_room;
};

struct profile *profile_new(void)
{
	AUTO_FREE struct profile *profile = calloc(1, sizeof(*profile));
	AUTO_FREE struct profile_index *index = calloc(1, sizeof(*index));

	if (!profile || !index)
		return NULL;
	profile->strings = string_pool_new();
	if (!profile->strings)
		return NULL;
	profile->index = steal_ptr(index);
	return steal_ptr(profile);
}

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	free(profile->command);
	free(profile->objects);
	free(profile->processes);
	free(profile->entries);
	free(profile->places);
	free(profile->frames);
	free(profile->notes);
	free(profile->index->slots);
	free(profile->index);
	string_pool_free(profile->strings);
	free(profile);
}

/* Replaces a borrowed string, which may be NULL, by the profile's own; false: out of memory. */
static bool own_string(struct profile *profile, const char **string)
{
	if (!*string)
		return true;
	*string = string_pool_add(profile->strings, *string);
	return *string;
}

int profile_set_command(struct profile *profile, char *const *argv)
{
	size_t count = 0;
	AUTO_FREE const char **command = NULL;

	while (argv[count])
		count++;
	command = calloc(count + 1, sizeof(*command));
	if (!command)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		command[i] = argv[i];
		if (!own_string(profile, &command[i]))
			return -ENOMEM;
	}
	free(profile->command);
	profile->command = steal_ptr(command);
	return 0;
}

static bool same_string(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_object(const struct profile_object *a, const struct profile_object *b)
{
	return a->kind == b->kind && same_string(a->path, b->path) &&
	       same_string(a->name, b->name) && a->build_id.size == b->build_id.size &&
	       memcmp(a->build_id.bytes, b->build_id.bytes, a->build_id.size) == 0;
}

int64_t profile_add_object(struct profile *profile, const struct profile_object *object)
{
	struct profile_object *copy;

	for (size_t i = 0; i < profile->object_count; i++) {
		if (same_object(&profile->objects[i], object))
			return (int64_t)i;
	}
	if (!grow(&profile->objects, profile->object_count + 1, &profile->index->object_room))
		return -ENOMEM;
	copy = &profile->objects[profile->object_count];
	*copy = *object;
	if (!own_string(profile, &copy->name) || !own_string(profile, &copy->path))
		return -ENOMEM;
	return (int64_t)profile->object_count++;
}

int64_t profile_add_process(struct profile *profile, const struct profile_process *process)
{
	struct profile_process *copy;

	if (!grow(&profile->processes, profile->process_count + 1, &profile->index->process_room))
		return -ENOMEM;
	copy = &profile->processes[profile->process_count];
	*copy = *process;
	if (!own_string(profile, &copy->command) || !own_string(profile, &copy->command_line))
		return -ENOMEM;
	return (int64_t)profile->process_count++;
}

static size_t entry_hash(const struct profile_entry *entry)
{
	uint64_t hash = entry->address * 0x9e3779b97f4a7c15;

	hash = (hash ^ (hash >> 29) ^ entry->object) * 0xbf58476d1ce4e5b9;
	hash = (hash ^ (hash >> 32) ^ entry->process) * 0x94d049bb133111eb;
	return (size_t)(hash ^ (hash >> 31) ^ entry->size);
}

static bool same_entry(const struct profile_entry *a, const struct profile_entry *b)
{
	return a->address == b->address && a->object == b->object && a->process == b->process &&
	       a->size == b->size;
}

/* The slot of @entry: where its index stands, or the free one where it belongs. */
static uint32_t *find_slot(const struct profile *profile, const struct profile_entry *entry)
{
	const struct profile_index *index = profile->index;
	size_t at = entry_hash(entry);

	for (;; at++) {
		uint32_t *slot = &index->slots[at & (index->slot_count - 1)];

		if (!*slot || same_entry(&profile->entries[*slot - 1], entry))
			return slot;
	}
}

/* Doubles the table when one more entry would make it more than half full. */
static bool make_room(struct profile *profile)
{
	struct profile_index *index = profile->index;
	size_t count = index->slot_count ? index->slot_count * 2 : 64;
	uint32_t *slots;

	if ((profile->entry_count + 1) * 2 <= index->slot_count)
		return true;
	if (profile->entry_count >= UINT32_MAX / 2)
		return false;
	slots = calloc(count, sizeof(*slots));
	if (!slots)
		return false;
	free(index->slots);
	index->slots = slots;
	index->slot_count = count;
	for (size_t i = 0; i < profile->entry_count; i++)
		*find_slot(profile, &profile->entries[i]) = (uint32_t)i + 1;
	return true;
}

int profile_add_entry(struct profile *profile, const struct profile_entry *entry)
{
	uint32_t *slot;

	if (!make_room(profile))
		return -ENOMEM;
	slot = find_slot(profile, entry);
	if (*slot) {
		profile->entries[*slot - 1].ticks += entry->ticks;
		profile->entries[*slot - 1].kernel += entry->kernel;
	} else {
		if (!grow(&profile->entries, profile->entry_count + 1, &profile->index->entry_room))
			return -ENOMEM;
		profile->entries[profile->entry_count++] = *entry;
		*slot = (uint32_t)profile->entry_count;
	}
	profile->ticks += entry->ticks;
	if (entry->process < profile->process_count)
		profile->processes[entry->process].ticks += entry->ticks;
	return 0;
}

int profile_add_note(struct profile *profile, const char *format, ...)
{
	AUTO_FREE char *text = NULL;
	const char *note;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0) {
		text = NULL; /* vasprintf leaves it undefined */
		return -ENOMEM;
	}
	note = string_pool_add(profile->strings, text);
	if (!note)
		return -ENOMEM;
	for (size_t i = 0; i < profile->note_count; i++) {
		if (profile->notes[i] == note)
			return 0;
	}
	if (!grow(&profile->notes, profile->note_count + 1, &profile->index->note_room))
		return -ENOMEM;
	profile->notes[profile->note_count++] = note;
	return 0;
}

double profile_cpu_seconds(const struct profile *profile)
{
	return profile->user_seconds + profile->system_seconds;
}

double profile_coverage(const struct profile *profile)
{
	double cpu_seconds = profile_cpu_seconds(profile);

	if (cpu_seconds <= 0)
		return 0;
	return (double)profile->ticks * profile->period_seconds / cpu_seconds;
}
