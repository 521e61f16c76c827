/* SPDX-License-Identifier: MIT */
/*
 * Places as a saved profile holds them: points, the addresses of an object where what the code is
 * called changes. A place reaches from its point to the next one; a point without a name ends it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cli/profile/profile.h"

enum point_kind {
	POINT_GAP, /* no code: alignment */
	POINT_UNKNOWN,
	POINT_NAMED,
};

struct point {
	uint64_t address;
	uint32_t object;
	uint32_t frame; /* of POINT_NAMED: index of the innermost */
	uint32_t frame_count;
	enum point_kind kind;
};

struct points {
	struct point *point;
	size_t count, room;
};

int points_add(struct points *points, const struct point *point);
void points_done(struct points *points);

/* Sorts by object and address, and keeps the most telling of several at one address. */
void points_sort(struct points *points);

/* What the places of @profile are as points, and a point where each bucket starts. */
int points_of_profile(struct points *points, const struct profile *profile);

/* The first point at @address of @object or behind, by index. */
size_t points_find(const struct points *points, uint32_t object, uint64_t address);

/* Replaces the places of @profile by those of sorted @points; frames stay. 0 or -ENOMEM. */
int points_to_places(const struct points *points, struct profile *profile);
