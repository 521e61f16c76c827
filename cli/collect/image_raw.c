/* SPDX-License-Identifier: MIT */
/* By the segments that were closed, or by /proc/PID/maps. */

#include "cli/collect/image_raw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/collect/jit.h"
#include "cli/collect/mapped_object.h"
#include "symbolize/util.h"

#define EPOCH_MASK ((1u << (64 - ARENA_EPOCH_SHIFT)) - 1)

struct resolution {
	struct image *image;
	struct profile *profile;
	struct maps maps;	     /* empty when the process has ended */
	struct arena_closed *closed; /* NULL: nothing was closed */
	uint32_t epoch;		     /* as many bits as a key has of it */
};

uint64_t image_raw_pc(uint64_t key)
{
	/* The highest bit that is kept stands for those above it. */
	return (uint64_t)((int64_t)(key << (64 - ARENA_EPOCH_SHIFT)) >> (64 - ARENA_EPOCH_SHIFT));
}

static uint32_t epoch_of(uint64_t key)
{
	return (uint32_t)(key >> ARENA_EPOCH_SHIFT);
}

static const struct arena_closed *find_closed(const struct resolution *resolution, uint64_t key)
{
	uint64_t pc = image_raw_pc(key);

	for (size_t i = 0; resolution->closed && i < ARENA_CLOSED; i++) {
		const struct arena_closed *closed = &resolution->closed[i];

		if (closed->length > 0 && (closed->epoch & EPOCH_MASK) == epoch_of(key) &&
		    pc >= closed->start && pc - closed->start < closed->length)
			return closed;
	}
	return NULL;
}

static int64_t add_closed(struct resolution *resolution, const struct arena_closed *closed)
{
	struct profile_object object = {.kind = OBJECT_FILE};
	AUTO_FREE char *path = image_object_path(resolution->image->slice, closed->name);

	if (!path)
		return -ENOMEM;
	object.path = path;
	object.name = basename(path);
	object.build_id.size = closed->build_id_size;
	memcpy(object.build_id.bytes, closed->build_id, closed->build_id_size);
	return profile_add_object(resolution->profile, &object);
}

/*
 * Whether something that is not known was closed since @key was counted: what is mapped there now
 * may be something else.
 */
static bool is_untold(const struct resolution *resolution, uint64_t key)
{
	uint32_t age = (resolution->epoch - epoch_of(key)) & EPOCH_MASK;
	uint32_t told = (resolution->epoch - resolution->image->untold) & EPOCH_MASK;

	return resolution->image->untold > 0 && told <= EPOCH_MASK / 2 && age > told;
}

/* The object in which @key lies, 0 with *ret_known false: nobody knows. */
static int64_t find_object(struct resolution *resolution, uint64_t key, uint64_t *ret_address,
			   bool *ret_known)
{
	struct image *image = resolution->image;
	const struct arena_closed *closed = find_closed(resolution, key);
	uint64_t pc = image_raw_pc(key), start = 0;
	const struct mapping *mapping;
	int64_t added;

	*ret_known = true;
	if (closed) {
		*ret_address = closed->address + (pc - closed->start);
		return add_closed(resolution, closed);
	}
	mapping = is_untold(resolution, key) ? NULL : maps_find(&resolution->maps, pc);
	*ret_known = mapping;
	if (!mapping)
		return 0;
	added = mapped_object_add(resolution->profile, image_pid(image), mapping, &start);
	*ret_address = start + (pc - mapping->start);
	if (added != -ENOEXEC)
		return added;
	*ret_address = pc;
	image->has_jit = true;
	return jit_add_object(resolution->profile, image->process);
}

/* Entries of earlier epochs make room: nobody counts in them any more. */
static int take_out(struct image *image, uint32_t index, uint64_t key, uint64_t ticks)
{
	struct image_raw *raw = &image->raw[index];

	/* A reader beside the one that collects leaves all as it is. */
	if (image->slice->file->detached || slice_forget_raw(image->slice, index) < 0)
		return 0;
	return image_bank(image, key, raw, ticks);
}

static int resolve(uint32_t index, uint64_t key, uint64_t ticks, void *data)
{
	struct resolution *resolution = data;
	struct image_raw *raw = &resolution->image->raw[index];
	bool known = raw->key == key && raw->object != OBJECT_NONE;
	int64_t added;

	if (!known) {
		added = find_object(resolution, key, &raw->address, &known);
		if (added < 0)
			return (int)added;
		raw->key = key;
		raw->object = known ? (uint32_t)added : OBJECT_NONE;
	}
	if (!known || epoch_of(key) == resolution->epoch)
		return 0;
	return take_out(resolution->image, index, key, ticks);
}

static int make_raw(struct image *image)
{
	if (image->raw)
		return 0;
	image->raw = malloc(ARENA_RAW_COUNT * sizeof(*image->raw));
	if (!image->raw)
		return -ENOMEM;
	for (size_t i = 0; i < ARENA_RAW_COUNT; i++)
		image->raw[i] = (struct image_raw){.object = OBJECT_NONE};
	return 0;
}

/* What the ring has lost since the last look, and what never came into it. */
static void note_untold(struct image *image, const struct arena_closed *closed)
{
	uint32_t count = atomic_load(&image->slice->image->closed_count);
	uint32_t untold = atomic_load(&image->slice->image->untold);

	if (untold > image->untold)
		image->untold = untold;
	/* The oldest that is left may have gone with others. */
	if (count - image->closed_seen > ARENA_CLOSED)
		image->untold = closed[count % ARENA_CLOSED].epoch + 1;
}

static int read_closed(struct resolution *resolution)
{
	struct image *image = resolution->image;
	uint32_t count = atomic_load(&image->slice->image->closed_count);

	if (count == 0 && atomic_load(&image->slice->image->untold) == 0)
		return 0;
	resolution->closed = calloc(ARENA_CLOSED, sizeof(*resolution->closed));
	if (!resolution->closed || slice_read_closed(image->slice, resolution->closed) == -ENOMEM)
		return -ENOMEM;
	note_untold(image, resolution->closed);
	image->closed_seen = count;
	return 0;
}

int image_raw_resolve(struct image *image, struct profile *profile)
{
	const struct arena_image *head = image->slice->image;
	uint32_t used = atomic_load(&head->raw_used), epoch = atomic_load(&head->epoch);
	struct resolution resolution = {
		.image = image, .profile = profile, .epoch = epoch & EPOCH_MASK};
	int r;

	if (used == image->raw_seen && epoch == image->epoch_seen)
		return 0;
	r = make_raw(image);
	if (r == 0)
		r = read_closed(&resolution);
	if (r < 0)
		return r;
	/* Without mappings nothing new can be told of what is still open. */
	if (maps_load(image_pid(image), &resolution.maps) == 0) {
		image->raw_seen = used;
		image->epoch_seen = epoch;
	}
	r = slice_each_raw(image->slice, resolve, &resolution);
	maps_done(&resolution.maps);
	free(resolution.closed);
	return r;
}
