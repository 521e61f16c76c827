/* SPDX-License-Identifier: MIT */
/*
 * What is known is a profile without ticks: its objects, and the places that were named. Buckets
 * are remembered in the order of their addresses, so that two lists are compared in one pass.
 */

#include "cli/live/known_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/live/kept_file.h"
#include "cli/report/code.h"
#include "cli/report/places.h"
#include "symbolize/symbolize.h"
#include "symbolize/util.h"

struct code {
	struct sym_object *object; /* NULL: not open, or it cannot be opened */
	int fd;			   /* where it is read from, or -1 */
	bool tried;
};

struct known_names {
	unsigned flags;
	pid_t keeper;
	struct profile *profile; /* places are of its objects */
	struct code *code;	 /* of its objects */
	size_t code_room;
	struct profile_entry *buckets; /* by object and address; .kernel: after a system call */
	size_t count, room;
};

struct known_names *known_names_new(unsigned flags, pid_t keeper)
{
	struct known_names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	names->flags = flags;
	names->keeper = keeper;
	names->profile = profile_new();
	if (names->profile)
		return names;
	free(names);
	return NULL;
}

void known_names_free(struct known_names *names)
{
	if (!names)
		return;
	for (size_t i = 0; i < names->code_room; i++) {
		if (names->code[i].object)
			sym_object_close(names->code[i].object);
		if (names->code[i].tried && names->code[i].fd >= 0)
			close(names->code[i].fd);
	}
	free(names->code);
	free(names->buckets);
	profile_free(names->profile);
	free(names);
}

/* An entry of a profile that is being named. */
struct counted {
	struct profile_entry bucket; /* .object is the number among those that are known */
	struct profile_entry *entry;
};

struct naming {
	struct known_names *names;
	struct profile *profile;
	uint32_t *known;	 /* the numbers of its objects among those that are known */
	struct counted *counted; /* entries with code, sorted by bucket */
	size_t count;
	struct profile_entry **fresh; /* buckets that were not known, sorted */
	size_t fresh_count;
};

static int compare_buckets(const void *left, const void *right)
{
	const struct profile_entry *a = left, *b = right;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->size > b->size) - (a->size < b->size);
}

static int compare_counted(const void *left, const void *right)
{
	return compare_buckets(&((const struct counted *)left)->bucket,
			       &((const struct counted *)right)->bucket);
}

static int find_objects(struct naming *naming)
{
	struct known_names *names = naming->names;
	const struct profile *profile = naming->profile;
	size_t before = names->code_room;

	naming->known = calloc(profile->object_count + 1, sizeof(*naming->known));
	if (!naming->known)
		return -ENOMEM;
	for (size_t i = 0; i < profile->object_count; i++) {
		int64_t index = profile_add_object(names->profile, &profile->objects[i]);

		if (index < 0)
			return (int)index;
		naming->known[i] = (uint32_t)index;
	}
	if (!grow(&names->code, names->profile->object_count, &names->code_room))
		return -ENOMEM;
	if (names->code_room > before)
		memset(names->code + before, 0, (names->code_room - before) * sizeof(*names->code));
	return 0;
}

static int find_counted(struct naming *naming)
{
	struct profile *profile = naming->profile;

	naming->counted = calloc(profile->entry_count + 1, sizeof(*naming->counted));
	naming->fresh = calloc(profile->entry_count + 1, sizeof(*naming->fresh));
	if (!naming->counted || !naming->fresh)
		return -ENOMEM;
	for (size_t i = 0; i < profile->entry_count; i++) {
		struct profile_entry *entry = &profile->entries[i];
		struct counted *counted = &naming->counted[naming->count];

		if (!code_exists(&profile->objects[entry->object]))
			continue;
		*counted = (struct counted){*entry, entry};
		counted->bucket.object = naming->known[entry->object];
		naming->count++;
	}
	if (naming->count)
		qsort(naming->counted, naming->count, sizeof(*naming->counted), compare_counted);
	return 0;
}

/* The known bucket that is @bucket, or NULL; *known, where the search begins, advances. */
static const struct profile_entry *find_known(const struct known_names *names,
					      const struct profile_entry *bucket, size_t *known)
{
	while (*known < names->count) {
		int order = compare_buckets(&names->buckets[*known], bucket);

		if (order >= 0)
			return order == 0 ? &names->buckets[*known] : NULL;
		(*known)++;
	}
	return NULL;
}

static void find_fresh(struct naming *naming)
{
	const struct profile_entry *last = NULL;
	size_t known = 0;

	for (size_t i = 0; i < naming->count; i++) {
		struct profile_entry *bucket = &naming->counted[i].bucket;

		/* Several processes and threads may have counted in the same one. */
		if (last && compare_buckets(last, bucket) == 0)
			continue;
		last = bucket;
		if (!find_known(naming->names, bucket, &known))
			naming->fresh[naming->fresh_count++] = bucket;
	}
}

/* The very file that runs, or one that passes for it. */
static void open_file(const struct known_names *names, const struct profile_object *object,
		      struct code *code)
{
	struct error why;

	if (names->keeper && object->kind == OBJECT_FILE)
		code->fd = kept_file_open(names->keeper, object->path);
	if (code->fd >= 0 &&
	    sym_object_open_fd(code->fd, object->path, &object->build_id, &code->object, &why) == 0)
		return;
	if (code_open(object, &code->object, &why) < 0)
		code->object = NULL;
}

static struct sym_object *open_code(struct known_names *names, uint32_t index)
{
	struct code *code = &names->code[index];

	if (!code->tried) {
		*code = (struct code){.fd = -1, .tried = true};
		open_file(names, &names->profile->objects[index], code);
	}
	return code->object;
}

/* Names the fresh buckets of each object, and finds those that a system call ends at. */
static int name_fresh(struct naming *naming, struct error *err)
{
	struct known_names *names = naming->names;
	size_t next;

	for (size_t i = 0; i < naming->fresh_count; i = next) {
		uint32_t object = naming->fresh[i]->object;
		struct sym_object *code = open_code(names, object);
		int r = 0;

		for (next = i; next < naming->fresh_count; next++) {
			if (naming->fresh[next]->object != object)
				break;
			naming->fresh[next]->kernel = 0;
		}
		if (code)
			r = places_add(names->profile, naming->fresh + i, next - i, code,
				       names->flags, err);
		if (r < 0)
			return r;
	}
	return 0;
}

/* The fresh buckets are known now, whatever became of their names. */
static int remember_fresh(struct naming *naming)
{
	struct known_names *names = naming->names;

	if (naming->fresh_count == 0)
		return 0;
	if (!grow(&names->buckets, names->count + naming->fresh_count, &names->room))
		return -ENOMEM;
	for (size_t i = 0; i < naming->fresh_count; i++)
		names->buckets[names->count++] = *naming->fresh[i];
	qsort(names->buckets, names->count, sizeof(*names->buckets), compare_buckets);
	return 0;
}

/* Which ticks were in the kernel, told by the instruction before their bucket. */
static void mark_kernel(struct naming *naming)
{
	size_t known = 0;

	for (size_t i = 0; i < naming->count; i++) {
		const struct counted *counted = &naming->counted[i];
		const struct profile_entry *bucket =
			find_known(naming->names, &counted->bucket, &known);

		counted->entry->kernel = bucket && bucket->kernel ? counted->entry->ticks : 0;
	}
	naming->profile->kernel_known = true;
}

/* Copies what is known of the object at @index, or what the profile itself told, to @places. */
static size_t copy_places(const struct naming *naming, uint32_t index, struct profile_place *places)
{
	const struct profile *profile = naming->profile, *known = naming->names->profile;
	bool is_code = code_exists(&profile->objects[index]);
	size_t count;
	const struct profile_place *source =
		places_overlap(is_code ? known : profile, is_code ? naming->known[index] : index, 0,
			       UINT64_MAX, &count);

	for (size_t i = 0; i < count; i++) {
		places[i] = source[i];
		places[i].object = index;
		/* Its own frames stand before those that are known. */
		places[i].frame += is_code ? (uint32_t)profile->frame_count : 0;
	}
	return count;
}

static int hand_over(struct naming *naming)
{
	const struct profile *known = naming->names->profile;
	struct profile *profile = naming->profile;
	size_t frames = profile->frame_count + known->frame_count, count = 0;
	AUTO_FREE struct profile_place *places =
		calloc(profile->place_count + known->place_count + 1, sizeof(*places));
	struct profile_frame *all = reallocarray(profile->frames, frames + 1, sizeof(*all));

	profile->frames = all ? all : profile->frames;
	if (!all || !places)
		return -ENOMEM;
	if (known->frame_count)
		memcpy(all + profile->frame_count, known->frames,
		       known->frame_count * sizeof(*all));
	for (uint32_t i = 0; i < profile->object_count; i++)
		count += copy_places(naming, i, places + count);
	free(profile->places);
	profile->places = steal_ptr(places);
	profile->place_count = count;
	profile->frame_count = frames;
	profile->named = true;
	profile->name_flags = naming->names->flags;
	return 0;
}

int known_names_find(struct known_names *names, struct profile *profile, struct error *err)
{
	struct naming naming = {.names = names, .profile = profile};
	int r = find_objects(&naming);

	if (r == 0)
		r = find_counted(&naming);
	if (r == 0) {
		find_fresh(&naming);
		r = name_fresh(&naming, err);
	}
	if (r == 0)
		r = remember_fresh(&naming);
	if (r == 0 && !profile->kernel_known && places_show_kernel(profile))
		mark_kernel(&naming);
	if (r == 0)
		r = hand_over(&naming);
	free(naming.known);
	free(naming.counted);
	free(naming.fresh);
	return r < 0 ? error_set(err, r, "out of memory") : 0;
}
