/* SPDX-License-Identifier: MIT */
/*
 * Takes the counts out of an image's slice. They are gathered first and believed only if they add
 * up to the ticks that the handler counted beside them: a program that scribbled over the arena
 * does not get an absurd report.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/collect/image_raw.h"
#include "cli/collect/image_threads.h"
#include "cli/collect/images.h"
#include "cli/collect/jit.h"
#include "cli/grow.h"
#include "symbolize/util.h"

/* Handlers that a SIGKILL caught between the two counts, in any number of threads. */
#define UNFINISHED_MAX 1024

#define TRIES 3

static int add_count(struct image *image, uint64_t pc, const struct profile_entry *entry)
{
	if (!grow(&image->counts, image->count + 1, &image->room))
		return -ENOMEM;
	image->counts[image->count++] = (struct image_count){pc, *entry};
	return 0;
}

struct draining {
	struct image *image;
	struct profile *profile; /* NULL while only carries are taken */
	uint32_t object;
	uint64_t moved; /* from link-time addresses to those in memory */
};

static int add_bucket(const struct slice_bucket *bucket, void *data)
{
	const struct draining *draining = data;
	struct profile_entry entry = {
		.object = draining->object,
		.process = draining->image->process,
		.address = bucket->address,
		.size = bucket->size,
		.ticks = bucket->ticks,
	};

	return add_count(draining->image, bucket->address + draining->moved, &entry);
}

/* From now on buckets are of the region at @index. */
static void enter_region(struct draining *draining, uint32_t index)
{
	const struct arena_region *region = &draining->image->slice->regions[index];

	draining->object = draining->image->objects[index];
	draining->moved = region->start - region->address;
}

int image_tick(struct image *image, uint32_t index, uint64_t pc, uint64_t weight,
	       struct slice_bucket *ret_bucket)
{
	struct draining draining = {.image = image};
	uint64_t carried;
	int r = slice_tick(image->slice, index, pc, weight, ret_bucket, &carried);

	enter_region(&draining, index);
	if (r < 0 || carried == 0)
		return r;
	return add_bucket(&(struct slice_bucket){ret_bucket->address, ret_bucket->size, carried},
			  &draining);
}

int image_count_pc(struct image *image, uint64_t pc, uint64_t weight, bool main_only)
{
	const struct slice *slice = image->slice;
	struct slice_bucket bucket;

	for (uint32_t i = 0; i < slice->image->region_count; i++) {
		if (pc - slice->regions[i].start < slice->regions[i].length &&
		    image_tick(image, i, pc, weight, &bucket) == 0)
			return 0;
	}
	return main_only ? slice_tick_outside(image->slice, weight)
			 : slice_tick_raw(image->slice, pc, weight);
}

int image_bank(struct image *image, uint64_t key, const struct image_raw *raw, uint64_t ticks)
{
	struct draining draining = {.image = image, .object = raw->object};

	draining.moved = image_raw_pc(key) - raw->address;
	return add_bucket(&(struct slice_bucket){raw->address, 1, ticks}, &draining);
}

int image_take_carries(struct image *image)
{
	for (uint32_t i = 0; i < image->slice->image->region_count; i++) {
		struct draining draining = {.image = image};
		int r;

		enter_region(&draining, i);
		r = slice_take_carries(image->slice, i, false, add_bucket, &draining);
		if (r == -ENOMEM)
			return r;
	}
	return 0;
}

static int add_special(const struct draining *draining, uint64_t pc, enum object_kind kind,
		       const char *name, uint64_t ticks)
{
	struct profile_object object = {.kind = kind, .name = name};
	struct profile_entry entry = {
		.process = draining->image->process, .size = 1, .ticks = ticks};
	int64_t added;

	if (ticks == 0)
		return 0;
	added = profile_add_object(draining->profile, &object);
	if (added < 0)
		return (int)added;
	entry.object = (uint32_t)added;
	return add_count(draining->image, pc, &entry);
}

static int add_raw(uint32_t index, uint64_t key, uint64_t ticks, void *data)
{
	struct draining *draining = data;
	const struct image_raw *raw = draining->image->raw ? &draining->image->raw[index] : NULL;
	uint64_t pc = image_raw_pc(key);
	struct slice_bucket bucket = {.address = pc, .size = 1, .ticks = ticks};

	if (!raw || raw->key != key || raw->object == OBJECT_NONE)
		return add_special(draining, pc, OBJECT_UNKNOWN, "[unknown]", ticks);
	bucket.address = raw->address;
	draining->object = raw->object;
	draining->moved = pc - raw->address;
	return add_bucket(&bucket, draining);
}

static int add_blocked(const struct draining *draining)
{
	return add_special(draining, 0, OBJECT_SPECIAL, "[signals blocked]",
			   atomic_load(&draining->image->slice->image->blocked));
}

static int add_outside(const struct draining *draining, bool main_only)
{
	uint64_t ticks = atomic_load(&draining->image->slice->image->outside);
	char name[300];

	if (!main_only)
		return add_special(draining, PC_NONE, OBJECT_UNKNOWN, "[unknown]", ticks);
	snprintf(name, sizeof(name), "[outside %.255s]",
		 draining->profile->processes[draining->image->process].command);
	return add_special(draining, PC_NONE, OBJECT_SPECIAL, name, ticks);
}

static int gather(struct draining *draining, bool main_only)
{
	struct slice *slice = draining->image->slice;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < slice->image->region_count; i++) {
		enter_region(draining, i);
		r = slice_each_bucket(slice, i, add_bucket, draining);
	}
	if (r == 0)
		r = slice_each_raw(slice, add_raw, draining);
	if (r == 0)
		r = add_blocked(draining);
	return r == 0 ? add_outside(draining, main_only) : r;
}

/* The ticks that came and found no place; or -EBADMSG. */
static int64_t missing_ticks(const struct image *image)
{
	uint64_t ticks = atomic_load(&image->slice->image->ticks), sum = 0;

	for (size_t i = 0; i < image->count; i++) {
		/* No sum of honest counts comes near to overflow. */
		if (image->counts[i].entry.ticks > UINT64_MAX / 4 || sum > UINT64_MAX / 4)
			return -EBADMSG;
		sum += image->counts[i].entry.ticks;
	}
	if (ticks > UINT64_MAX / 4 || sum > ticks + UNFINISHED_MAX)
		return -EBADMSG;
	if (ticks > sum + UNFINISHED_MAX && !image->slice->carries_full)
		return -EBADMSG;
	return ticks > sum ? (int64_t)(ticks - sum) : 0;
}

static int publish(const struct image *image, struct profile *profile)
{
	for (size_t i = 0; i < image->count; i++) {
		struct profile_entry entry = image->counts[i].entry;
		int r;

		if (entry.ticks == 0)
			continue;
		r = profile_add_entry(profile, &entry);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Looks up names for what was counted in code of no file. */
static int name_jit(const struct image *image, struct profile *profile)
{
	AUTO_FREE uint64_t *pcs = image->has_jit ? calloc(image->count + 1, sizeof(*pcs)) : NULL;
	uint32_t object = 0;
	size_t count = 0;

	if (!image->has_jit)
		return 0;
	for (size_t i = 0; pcs && i < image->count; i++) {
		const struct profile_entry *entry = &image->counts[i].entry;

		if (profile->objects[entry->object].kind != OBJECT_ANON)
			continue;
		object = entry->object;
		pcs[count++] = entry->address;
	}
	if (!pcs)
		return -ENOMEM;
	return count ? jit_name(profile, object, image_pid(image), image->perf_map, pcs, count) : 0;
}

/*
 * The ticks that came and found no place, or a negative errno. While the program runs an entry may
 * wrap between two looks at it: then it is looked at again.
 */
static int64_t gather_sound(struct draining *draining, const struct arena_settings *settings)
{
	struct image *image = draining->image;
	const size_t before = image->count;
	int64_t missing = 0;

	for (int i = 0; i < (image->slice->file->detached ? TRIES : 1); i++) {
		int r = slice_refresh(image->slice);

		image->count = before;
		if (r == 0)
			r = gather(draining, settings->flags & ARENA_MAIN_ONLY);
		if (r < 0)
			return r;
		if (settings->ticks != ARENA_TICKS_LIBC) /* which keeps no sum */
			missing = missing_ticks(image);
		if (missing >= 0)
			break;
	}
	return missing;
}

int image_drain(struct image *image, struct profile *profile, const struct arena_settings *settings)
{
	struct draining draining = {.image = image, .profile = profile};
	bool counted = settings->ticks != ARENA_TICKS_LIBC;
	int64_t missing;
	int r = slice_refresh(image->slice);

	/* Most short processes never ticked: nothing to read in any of their pages. */
	if (r < 0 || (counted && atomic_load(&image->slice->image->ticks) == 0))
		return r;
	r = image_raw_resolve(image, profile);
	if (r < 0)
		return r;
	missing = gather_sound(&draining, settings);
	if (missing < 0)
		return (int)missing;
	r = name_jit(image, profile);
	if (r == 0)
		r = image_split_by_threads(image, profile);
	if (r < 0)
		return r;
	profile->lost_ticks += (uint64_t)missing;
	return publish(image, profile);
}
