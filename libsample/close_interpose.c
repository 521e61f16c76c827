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

/* What may go: segments that no histogram covers. Kept beside the ring, which has those that went.
 */
static struct {
	struct arena_closed segments[ARENA_CLOSED];
	uint32_t count;
	bool stays[ARENA_CLOSED];
	bool more; /* than have a place here */
} candidates;

void close_resolve(void)
{
	*(void **)&real_dlclose = next_find("dlclose");
}

static void add(const struct object_segment *segment, void *unused)
{
	size_t name = strlen(segment->name);
	struct arena_closed *closed = &candidates.segments[candidates.count];

	(void)unused;
	if (region_holds(segment->start))
		return;
	if (candidates.count >= ARENA_CLOSED || name >= sizeof(closed->name)) {
		candidates.more = true;
		return;
	}
	candidates.stays[candidates.count++] = false;
	closed->start = segment->start;
	closed->length = segment->length;
	closed->address = segment->address;
	closed->build_id_size = (uint32_t)segment->build_id_size;
	if (segment->build_id_size > 0)
		memcpy(closed->build_id, segment->build_id, segment->build_id_size);
	memcpy(closed->name, segment->name, name + 1);
}

static void keep(const struct object_segment *segment, void *unused)
{
	(void)unused;
	for (uint32_t i = 0; i < candidates.count; i++) {
		if (candidates.segments[i].start == segment->start)
			candidates.stays[i] = true;
	}
}

/* Writes those that are gone into the ring; how many. */
static uint32_t note_gone(struct arena_image *image, uint32_t epoch)
{
	struct arena_closed *ring = (void *)((char *)image + image->closed);
	uint32_t first = atomic_load(&image->closed_count), gone = 0;

	for (uint32_t i = 0; i < candidates.count; i++) {
		if (candidates.stays[i])
			continue;
		candidates.segments[i].epoch = epoch;
		ring[(first + gone++) % ARENA_CLOSED] = candidates.segments[i];
	}
	atomic_fetch_add(&image->closed_count, gone);
	return gone;
}

static int close_and_note(struct arena_image *image, void *handle)
{
	uint32_t epoch = atomic_load(&image->epoch);
	int r;

	candidates.count = 0;
	candidates.more = false;
	objects_each(add, NULL);
	r = real_dlclose(handle);
	objects_each(keep, NULL);
	if (candidates.more)
		atomic_store(&image->untold, epoch + 1);
	if (note_gone(image, epoch) > 0 || candidates.more)
		atomic_fetch_add(&image->epoch, 1);
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
