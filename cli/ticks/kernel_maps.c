/* SPDX-License-Identifier: MIT */
/* A sorted array of disjoint mappings, shared until somebody changes it. */

#include "cli/ticks/kernel_maps.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"

struct kernel_maps {
	unsigned sharers;
	size_t count, room;
	struct kernel_mapping *mappings;
};

struct kernel_maps *kernel_maps_new(void)
{
	struct kernel_maps *maps = calloc(1, sizeof(*maps));

	if (maps)
		maps->sharers = 1;
	return maps;
}

struct kernel_maps *kernel_maps_share(struct kernel_maps *maps)
{
	maps->sharers++;
	return maps;
}

void kernel_maps_release(struct kernel_maps *maps)
{
	if (!maps || --maps->sharers > 0)
		return;
	free(maps->mappings);
	free(maps);
}

static int make_own(struct kernel_maps **maps)
{
	struct kernel_maps *shared = *maps, *own;

	if (shared->sharers == 1)
		return 0;
	own = kernel_maps_new();
	if (!own || !grow(&own->mappings, shared->count + 1, &own->room)) {
		kernel_maps_release(own);
		return -ENOMEM;
	}
	memcpy(own->mappings, shared->mappings, shared->count * sizeof(*own->mappings));
	own->count = shared->count;
	shared->sharers--;
	*maps = own;
	return 0;
}

/* The index of the first mapping that ends behind @pc. */
static size_t find(const struct kernel_maps *maps, uint64_t pc)
{
	size_t low = 0, high = maps->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (maps->mappings[middle].end <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct kernel_mapping *kernel_maps_find(struct kernel_maps *maps, uint64_t pc)
{
	size_t at = find(maps, pc);

	return at < maps->count && maps->mappings[at].start <= pc ? &maps->mappings[at] : NULL;
}

static bool is_moved_text(const struct kernel_maps *maps, const struct kernel_mapping *mapping)
{
	size_t at = find(maps, mapping->start);
	const struct kernel_mapping *old = &maps->mappings[at];

	return mapping->text == KERNEL_NONE && mapping->region == KERNEL_NONE && at < maps->count &&
	       old->region != KERNEL_NONE && old->start < mapping->end;
}

/* Moves the mappings from @from on to @to; there is room. */
static void move(struct kernel_maps *maps, size_t to, size_t from)
{
	memmove(&maps->mappings[to], &maps->mappings[from],
		(maps->count - from) * sizeof(*maps->mappings));
	maps->count = maps->count - from + to;
}

/* Makes [start, end) free, and returns the index at which a mapping of it belongs. */
static size_t cut(struct kernel_maps *maps, uint64_t start, uint64_t end)
{
	size_t first = find(maps, start), last;

	if (first < maps->count && maps->mappings[first].start < start) {
		if (maps->mappings[first].end > end) {
			move(maps, first + 1, first);
			maps->mappings[first] = maps->mappings[first + 1];
			maps->mappings[first + 1].start = end;
		}
		maps->mappings[first++].end = start;
	}
	last = first;
	while (last < maps->count && maps->mappings[last].end <= end)
		last++;
	if (last < maps->count && maps->mappings[last].start < end)
		maps->mappings[last].start = end;
	move(maps, first, last);
	return first;
}

int kernel_maps_add(struct kernel_maps **shared, const struct kernel_mapping *mapping)
{
	struct kernel_maps *maps;
	size_t at;
	int r;

	if (is_moved_text(*shared, mapping))
		return 0;
	r = make_own(shared);
	maps = *shared;
	/* Two more: the one that is added, and the one that it divides. */
	if (r < 0 || !grow(&maps->mappings, maps->count + 2, &maps->room))
		return -ENOMEM;
	at = cut(maps, mapping->start, mapping->end);
	move(maps, at + 1, at);
	maps->mappings[at] = *mapping;
	return 0;
}
