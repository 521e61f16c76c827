/* SPDX-License-Identifier: MIT */
/*
 * The profile of one run. Entries are found again by a hash table of their indices, open addressed
 * and at most half full, so that a million buckets are merged in well under a second.
 */

#include "cli/profile/profile.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/collect/seen_file.h"
#include "cli/grow.h"
#include "symbolize/util.h"

/* Slots hold an index + 1; 0 is a free one. */
struct profile_index {
	uint32_t *slots;
	size_t slot_count; /* a power of two */
	size_t entry_room;
	size_t object_room, process_room, thread_room, note_room, detail_room;
	struct string_pool *objects; /* what tells each apart, numbered as .objects are */
	struct string_pool *notes;
};

static void index_free(struct profile_index *index)
{
	if (!index)
		return;
	string_pool_free(index->objects);
	string_pool_free(index->notes);
	free(index->slots);
	free(index);
}

static struct profile_index *index_new(void)
{
	struct profile_index *index = calloc(1, sizeof(*index));

	if (!index)
		return NULL;
	index->objects = string_pool_new();
	index->notes = string_pool_new();
	if (index->objects && index->notes)
		return index;
	index_free(index);
	return NULL;
}

struct profile *profile_new(void)
{
	struct profile *profile = calloc(1, sizeof(*profile));

	if (!profile)
		return NULL;
	profile->strings = string_pool_new();
	profile->index = index_new();
	if (profile->strings && profile->index)
		return profile;
	profile_free(profile);
	return NULL;
}

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	for (size_t i = 0; i < profile->object_count; i++)
		seen_file_close(profile->objects[i].seen);
	free(profile->command);
	free(profile->objects);
	free(profile->processes);
	free(profile->threads);
	free(profile->entries);
	free(profile->places);
	free(profile->frames);
	free(profile->made);
	free(profile->notes);
	free(profile->details);
	index_free(profile->index);
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

/* What tells objects apart, as text; freed by the caller. */
static char *object_key(const struct profile_object *object)
{
	/* Not by printf(3): each process that is forked asks for a handful of them. */
	static const char digits[] = "0123456789abcdef";
	char build_id[2 * SYM_BUILD_ID_MAX + 1] = "", *key;

	for (size_t i = 0; i < object->build_id.size && i < SYM_BUILD_ID_MAX; i++) {
		build_id[2 * i] = digits[object->build_id.bytes[i] >> 4];
		build_id[2 * i + 1] = digits[object->build_id.bytes[i] & 15];
	}
	if (asprintf(&key, "%d %s %s\n%s", (int)object->kind, build_id,
		     object->path ? object->path : "", object->name) < 0)
		return NULL;
	return key;
}

int64_t profile_add_object(struct profile *profile, const struct profile_object *object)
{
	AUTO_FREE char *key = object_key(object);
	struct profile_object copy = *object;
	bool is_new;
	int64_t number;

	if (!key || !own_string(profile, &copy.name) || !own_string(profile, &copy.path) ||
	    !grow(&profile->objects, profile->object_count + 1, &profile->index->object_room))
		return -ENOMEM;
	copy.seen = NULL;
	number = string_pool_number(profile->index->objects, key, &is_new);
	if (number >= 0 && is_new)
		profile->objects[profile->object_count++] = copy;
	return number;
}

bool profile_wants_file(const struct profile *profile, uint32_t index)
{
	const struct profile_object *object = &profile->objects[index];

	return object->kind == OBJECT_FILE && !object->seen && !object->lost;
}

void profile_keep_file(struct profile *profile, uint32_t index, struct seen_file *file)
{
	struct profile_object *object = &profile->objects[index];

	if (object->seen)
		seen_file_close(file);
	else
		object->seen = file;
	object->lost = !object->seen && object->build_id.size == 0;
}

int64_t profile_add_process(struct profile *profile, const struct profile_process *process)
{
	struct profile_process *copy;

	if (!grow(&profile->processes, profile->process_count + 1, &profile->index->process_room))
		return -ENOMEM;
	copy = &profile->processes[profile->process_count];
	*copy = *process;
	if (!own_string(profile, &copy->command) || !own_string(profile, &copy->command_line) ||
	    !own_string(profile, &copy->run))
		return -ENOMEM;
	return (int64_t)profile->process_count++;
}

int64_t profile_add_thread(struct profile *profile, const struct profile_thread *thread)
{
	struct profile_thread copy = *thread;

	if (!own_string(profile, &copy.name) ||
	    !grow(&profile->threads, profile->thread_count + 1, &profile->index->thread_room))
		return -ENOMEM;
	profile->threads[profile->thread_count++] = copy;
	return (int64_t)profile->thread_count;
}

int profile_name_run(struct profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->process_count; i++) {
		struct profile_process *process = &profile->processes[i];
		char joined[PATH_MAX + 64];

		if (process->run)
			snprintf(joined, sizeof(joined), "%s:%s", name, process->run);
		process->run = string_pool_add(profile->strings, process->run ? joined : name);
		if (!process->run)
			return -ENOMEM;
	}
	return 0;
}

static size_t entry_hash(const struct profile_entry *entry)
{
	uint64_t hash = entry->address * 0x9e3779b97f4a7c15;

	hash = (hash ^ (hash >> 29) ^ entry->object) * 0xbf58476d1ce4e5b9;
	hash = (hash ^ (hash >> 32) ^ entry->process) * 0x94d049bb133111eb;
	hash = (hash ^ (hash >> 30) ^ entry->thread) * 0x9e3779b97f4a7c15;
	return (size_t)(hash ^ (hash >> 31) ^ entry->size);
}

static bool same_entry(const struct profile_entry *a, const struct profile_entry *b)
{
	return a->address == b->address && a->object == b->object && a->process == b->process &&
	       a->thread == b->thread && a->size == b->size;
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

int profile_add_entry(struct profile *profile, const struct profile_entry *added)
{
	struct profile_entry entry = *added;
	uint32_t *slot;

	if (!make_room(profile))
		return -ENOMEM;
	if (entry.object < profile->object_count &&
	    profile->objects[entry.object].kind == OBJECT_SPECIAL) {
		entry.address = 0;
		entry.size = 1;
	}
	slot = find_slot(profile, &entry);
	if (*slot) {
		profile->entries[*slot - 1].ticks += entry.ticks;
		profile->entries[*slot - 1].kernel += entry.kernel;
	} else {
		if (!grow(&profile->entries, profile->entry_count + 1, &profile->index->entry_room))
			return -ENOMEM;
		profile->entries[profile->entry_count++] = entry;
		*slot = (uint32_t)profile->entry_count;
	}
	profile->ticks += entry.ticks;
	if (entry.process < profile->process_count)
		profile->processes[entry.process].ticks += entry.ticks;
	return 0;
}

/* The profile's copy of a formatted text, NULL: out of memory. */
static const char *own_text(struct profile *profile, const char *format, va_list arguments)
	__attribute__((format(printf, 2, 0)));

static const char *own_text(struct profile *profile, const char *format, va_list arguments)
{
	AUTO_FREE char *text = NULL;

	if (vasprintf(&text, format, arguments) < 0) {
		text = NULL; /* vasprintf leaves it undefined */
		return NULL;
	}
	return string_pool_add(profile->strings, text);
}

int profile_add_note(struct profile *profile, const char *format, ...)
{
	const char *note;
	va_list arguments;
	bool is_new;

	va_start(arguments, format);
	note = own_text(profile, format, arguments);
	va_end(arguments);
	if (!note || !grow(&profile->notes, profile->note_count + 1, &profile->index->note_room) ||
	    string_pool_number(profile->index->notes, note, &is_new) < 0)
		return -ENOMEM;
	if (is_new)
		profile->notes[profile->note_count++] = note;
	return 0;
}

int profile_add_detail(struct profile *profile, const char *format, ...)
{
	const char *detail;
	va_list arguments;

	va_start(arguments, format);
	detail = own_text(profile, format, arguments);
	va_end(arguments);
	if (!detail ||
	    !grow(&profile->details, profile->detail_count + 1, &profile->index->detail_room))
		return -ENOMEM;
	profile->details[profile->detail_count++] = detail;
	return 0;
}

double profile_cpu_seconds(const struct profile *profile)
{
	return profile->user_seconds + profile->system_seconds;
}

double profile_coverage(const struct profile *profile)
{
	double cpu_seconds = profile_cpu_seconds(profile) - profile->unsampled_seconds;

	if (cpu_seconds <= 0)
		return 0;
	return (double)profile->ticks * profile->period_seconds / cpu_seconds;
}
