/* SPDX-License-Identifier: MIT */
/*
 * dlclose(3): what was counted in a plugin is known by its addresses alone, and they may be another
 * plugin's in a moment. What goes is written down, and a new epoch begins: the same pc counts apart
 * from now on. (dlopen(3) cannot be interposed: it looks at who called it. This does not.)
 *
 * Nothing is done for a program whose plugins had no ticks since the last time.
 */

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "libsample/close.h"
#include "libsample/export.h"
#include "libsample/image.h"
#include "libsample/next.h"
#include "libsample/objects.h"
#include "libsample/region.h"

static int (*real_dlclose)(void *);
static _Atomic bool busy;
static uint32_t ticks_seen;

/* What may go: segments that no histogram covers. */
struct candidates {
	struct arena_closed *ring;
	uint32_t first, count;
	bool stays[ARENA_CLOSED];
};

void close_resolve(void)
{
	*(void **)&real_dlclose = next_find("dlclose");
}

static struct arena_closed *at(const struct candidates *candidates, uint32_t index)
{
	return &candidates->ring[(candidates->first + index) % ARENA_CLOSED];
}

static void add(const struct object_segment *segment, void *data)
{
	struct candidates *candidates = data;
	size_t name = strlen(segment->name);
	struct arena_closed *closed;

	if (region_holds(segment->start) || candidates->count >= ARENA_CLOSED ||
	    name >= sizeof(closed->name))
		return;
	closed = at(candidates, candidates->count++);
	closed->start = segment->start;
	closed->length = segment->length;
	closed->address = segment->address;
	closed->build_id_size = (uint32_t)segment->build_id_size;
	if (segment->build_id_size > 0)
		memcpy(closed->build_id, segment->build_id, segment->build_id_size);
	memcpy(closed->name, segment->name, name + 1);
}

static void keep(const struct object_segment *segment, void *data)
{
	struct candidates *candidates = data;

	for (uint32_t i = 0; i < candidates->count; i++) {
		if (at(candidates, i)->start == segment->start)
			candidates->stays[i] = true;
	}
}

/* Those that are gone, in front; how many. */
static uint32_t pack(struct candidates *candidates, uint32_t epoch)
{
	uint32_t gone = 0;

	for (uint32_t i = 0; i < candidates->count; i++) {
		if (candidates->stays[i])
			continue;
		*at(candidates, gone) = *at(candidates, i);
		at(candidates, gone)->epoch = epoch;
		gone++;
	}
	return gone;
}

static int close_and_note(struct arena_image *image, void *handle)
{
	static struct candidates candidates;
	uint32_t gone;
	int r;

	candidates = (struct candidates){
		.ring = (struct arena_closed *)(void *)((char *)image + image->closed),
		.first = atomic_load(&image->closed_count),
	};
	objects_each(add, &candidates);
	r = real_dlclose(handle);
	objects_each(keep, &candidates);
	gone = pack(&candidates, atomic_load(&image->epoch));
	if (gone > 0) {
		atomic_fetch_add(&image->closed_count, gone);
		atomic_fetch_add(&image->epoch, 1);
	}
	return r;
}

EXPORT int dlclose(void *handle)
{
	struct arena_image *image = image_current();
	uint32_t ticks = image ? atomic_load(&image->raw_ticks) : 0;
	int r;

	if (!real_dlclose)
		close_resolve();
	if (ticks == ticks_seen || atomic_exchange(&busy, true))
		return real_dlclose(handle);
	ticks_seen = ticks;
	r = close_and_note(image, handle);
	atomic_store(&busy, false);
	return r;
}
