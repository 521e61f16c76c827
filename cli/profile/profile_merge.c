/* SPDX-License-Identifier: MIT */
/* Several profiles as one. */

#include "cli/profile/profile_merge.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/points.h"
#include "symbolize/util.h"

static void take_file(struct profile_object *object, struct profile_object *other)
{
	if (!object->seen)
		object->seen = steal_ptr(other->seen);
}

/* Where the objects of the other profile are in this one, which takes over their files. */
static uint32_t *map_objects(struct profile *profile, struct profile *other)
{
	AUTO_FREE uint32_t *map = calloc(other->object_count + 1, sizeof(*map));

	for (size_t i = 0; map && i < other->object_count; i++) {
		int64_t index = profile_add_object(profile, &other->objects[i]);

		if (index < 0)
			return NULL;
		map[i] = (uint32_t)index;
		take_file(&profile->objects[index], &other->objects[i]);
	}
	return steal_ptr(map);
}

/* Appends the frames of @other, as @profile's strings. */
static int add_frames(struct profile *profile, const struct profile *other)
{
	size_t count = profile->frame_count + other->frame_count;
	struct profile_frame *frames = reallocarray(profile->frames, count + 1, sizeof(*frames));

	if (!frames)
		return -ENOMEM;
	profile->frames = frames;
	for (size_t i = 0; i < other->frame_count; i++) {
		struct profile_frame *frame = &frames[profile->frame_count];

		*frame = other->frames[i];
		frame->function = string_pool_add(profile->strings, frame->function);
		if (frame->file)
			frame->file = string_pool_add(profile->strings, frame->file);
		if (!frame->function || (other->frames[i].file && !frame->file))
			return -ENOMEM;
		profile->frame_count++;
	}
	return 0;
}

/* The places of both: all points, each place ending where the next of either begins. */
static int merge_places(struct profile *profile, const struct profile *other, const uint32_t *map)
{
	struct points points = {.count = 0}, others = {.count = 0};
	uint32_t first_frame = (uint32_t)profile->frame_count;
	int code = points_of_profile(&points, profile);

	if (code == 0)
		code = points_of_profile(&others, other);
	if (code == 0)
		code = add_frames(profile, other);
	for (size_t i = 0; i < others.count && code == 0; i++) {
		struct point point = others.point[i];

		point.object = map[point.object];
		point.frame += first_frame;
		code = points_add(&points, &point);
	}
	points_sort(&points);
	if (code == 0)
		code = points_to_places(&points, profile);
	points_done(&points);
	points_done(&others);
	return code;
}

static int add_processes(struct profile *profile, const struct profile *other)
{
	for (size_t i = 0; i < other->process_count; i++) {
		struct profile_process process = other->processes[i];

		process.ticks = 0; /* counted again with the entries */
		if (profile_add_process(profile, &process) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int add_threads(struct profile *profile, const struct profile *other, uint32_t first_process)
{
	for (size_t i = 0; i < other->thread_count; i++) {
		struct profile_thread thread = other->threads[i];

		thread.process += first_process;
		if (profile_add_thread(profile, &thread) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int add_entries(struct profile *profile, const struct profile *other, const uint32_t *map,
		       uint32_t first_process, uint32_t first_thread)
{
	for (size_t i = 0; i < other->entry_count; i++) {
		struct profile_entry entry = other->entries[i];

		entry.object = map[entry.object];
		entry.process += first_process;
		if (entry.thread)
			entry.thread += first_thread;
		if (profile_add_entry(profile, &entry) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* (sum w)^2 / sum w^2 of both together. */
static double merge_effective(const struct profile *a, const struct profile *b)
{
	double squares = 0, ticks = (double)a->ticks + (double)b->ticks;

	if (a->effective_ticks > 0)
		squares += (double)a->ticks * (double)a->ticks / a->effective_ticks;
	if (b->effective_ticks > 0)
		squares += (double)b->ticks * (double)b->ticks / b->effective_ticks;
	return squares > 0 ? ticks * ticks / squares : 0;
}

static void merge_facts(struct profile *profile, const struct profile *other)
{
	profile->effective_ticks = merge_effective(profile, other);
	profile->elapsed_seconds += other->elapsed_seconds;
	profile->user_seconds += other->user_seconds;
	profile->system_seconds += other->system_seconds;
	profile->queued_seconds = profile->queued_seconds < 0 || other->queued_seconds < 0
					  ? -1
					  : profile->queued_seconds + other->queued_seconds;
	profile->unsampled_seconds += other->unsampled_seconds;
	profile->lost_ticks += other->lost_ticks;
	profile->kernel_known = profile->kernel_known && other->kernel_known;
	profile->foreign = profile->foreign || other->foreign;
	profile->threads_apart = profile->threads_apart || other->threads_apart;
	profile->named = profile->named && other->named;
	if (strcmp(profile->tick_source, other->tick_source) != 0)
		profile->tick_source = "several sources";
	/* Names found in different ways are no answer to either: they are looked up again. */
	if (profile->name_flags != other->name_flags)
		profile->named = false;
	if (!profile->no_ticks)
		profile->no_ticks =
			other->no_ticks ? string_pool_add(profile->strings, other->no_ticks) : NULL;
}

int profile_merge(struct profile *profile, struct profile *other, struct error *err)
{
	AUTO_FREE uint32_t *map = NULL;
	uint32_t first_process = (uint32_t)profile->process_count;
	uint32_t first_thread = (uint32_t)profile->thread_count;
	int code = 0;

	if (fabs(profile->period_seconds - other->period_seconds) > 1e-9)
		return error_set(err, -EINVAL, "a tick is %g ms in one and %g ms in the other",
				 profile->period_seconds * 1e3, other->period_seconds * 1e3);
	map = map_objects(profile, other);
	if (!map || merge_places(profile, other, map) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	/* Before the entries are added: both have their own totals here. */
	merge_facts(profile, other);
	if (add_processes(profile, other) < 0 || add_threads(profile, other, first_process) < 0 ||
	    add_entries(profile, other, map, first_process, first_thread) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < other->note_count && code == 0; i++)
		code = profile_add_note(profile, "%s", other->notes[i]);
	return code < 0 ? error_set(err, -ENOMEM, "out of memory") : 0;
}
