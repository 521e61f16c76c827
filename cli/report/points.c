/* SPDX-License-Identifier: MIT */
/* Places as a saved profile holds them. */

#include "cli/report/points.h"

#include <errno.h>
#include <stdlib.h>

#include "cli/grow.h"
#include "cli/report/places.h"

int points_add(struct points *points, const struct point *point)
{
	if (!grow(&points->point, points->count + 1, &points->room))
		return -ENOMEM;
	points->point[points->count++] = *point;
	return 0;
}

void points_done(struct points *points)
{
	free(points->point);
	*points = (struct points){.count = 0};
}

static int compare_points(const void *left, const void *right)
{
	const struct point *a = left, *b = right;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind > b->kind ? -1 : 1;
	return (a->frame > b->frame) - (a->frame < b->frame);
}

void points_sort(struct points *points)
{
	size_t kept = 0;

	if (points->count == 0)
		return;
	qsort(points->point, points->count, sizeof(*points->point), compare_points);
	for (size_t i = 0; i < points->count; i++) {
		const struct point *point = &points->point[i];
		const struct point *last = kept ? &points->point[kept - 1] : NULL;

		if (!last || last->object != point->object || last->address != point->address)
			points->point[kept++] = *point;
	}
	points->count = kept;
}

/* Adds what @profile knows of @address; @kind is what it is where no place is. */
static int add_at(struct points *points, const struct profile *profile, uint32_t object,
		  uint64_t address, enum point_kind kind)
{
	size_t count;
	uint64_t end = address == UINT64_MAX ? address : address + 1;
	const struct profile_place *place = places_overlap(profile, object, address, end, &count);
	struct point point = {.object = object, .address = address, .kind = kind};

	if (count) {
		point.kind = place->frame_count ? POINT_NAMED : POINT_UNKNOWN;
		point.frame = place->frame;
		point.frame_count = place->frame_count;
	}
	return points_add(points, &point);
}

/* Adds a point at the bucket's start and wherever in it a place begins or ends. */
static int add_bucket(struct points *points, const struct profile *profile,
		      const struct profile_entry *entry)
{
	size_t count;
	uint64_t end = entry->size > UINT64_MAX - entry->address ? UINT64_MAX
								 : entry->address + entry->size;
	const struct profile_place *places =
		places_overlap(profile, entry->object, entry->address, end, &count);

	/* A bucket where nothing is known at all is unknown code, not alignment. */
	if (add_at(points, profile, entry->object, entry->address,
		   count ? POINT_GAP : POINT_UNKNOWN) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		if (places[i].start > entry->address &&
		    add_at(points, profile, entry->object, places[i].start, POINT_GAP) < 0)
			return -ENOMEM;
		if (places[i].end < end &&
		    add_at(points, profile, entry->object, places[i].end, POINT_GAP) < 0)
			return -ENOMEM;
	}
	return 0;
}

int points_of_profile(struct points *points, const struct profile *profile)
{
	for (size_t i = 0; i < profile->entry_count; i++) {
		if (add_bucket(points, profile, &profile->entries[i]) < 0)
			return -ENOMEM;
	}
	points_sort(points);
	return 0;
}

size_t points_find(const struct points *points, uint32_t object, uint64_t address)
{
	size_t low = 0, high = points->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct point *point = &points->point[middle];

		if (point->object < object || (point->object == object && point->address < address))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int points_to_places(const struct points *points, struct profile *profile)
{
	struct profile_place *places = calloc(points->count + 1, sizeof(*places));
	size_t count = 0;

	if (!places)
		return -ENOMEM;
	for (size_t i = 0; i < points->count; i++) {
		const struct point *point = &points->point[i], *next = point + 1;

		if (point->kind == POINT_GAP)
			continue;
		places[count++] = (struct profile_place){
			.start = point->address,
			.end = i + 1 < points->count && next->object == point->object
				       ? next->address
				       : UINT64_MAX,
			.object = point->object,
			.frame = point->frame,
			.frame_count = point->kind == POINT_NAMED ? point->frame_count : 0,
		};
	}
	free(profile->places);
	profile->places = places;
	profile->place_count = count;
	return 0;
}
