/* SPDX-License-Identifier: MIT */
/* Names of code that was made at run time. */

#include "cli/collect/jit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "cli/collect/perf_map.h"
#include "cli/grow.h"
#include "cli/report/points.h"
#include "symbolize/util.h"

int64_t jit_add_object(struct profile *profile, uint32_t process)
{
	struct profile_object object = {.kind = OBJECT_ANON, .name = "[anon]"};
	static uint64_t run;

	/* As a build-id would, this tells it from all others, in other runs as well. */
	if (run == 0 && getrandom(&run, sizeof(run), 0) != sizeof(run))
		return -ENOMEM;
	memcpy(object.build_id.bytes, &run, sizeof(run));
	memcpy(object.build_id.bytes + sizeof(run), &process, sizeof(process));
	object.build_id.size = sizeof(run) + sizeof(process);
	return profile_add_object(profile, &object);
}

int jit_open_map(const struct profile *profile, pid_t pid)
{
	/* File systems keep time in ticks of the kernel; what is older is another process's. */
	return perf_map_open(pid, profile->start_nanos / 1000000000 - 1);
}

static int compare_names(const void *left, const void *right)
{
	const struct perf_map_name *a = left, *b = right;

	return (a->pc > b->pc) - (a->pc < b->pc);
}

static int add_names(struct profile *profile, uint32_t object, const struct perf_map_name *names,
		     size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!names[i].name || (i > 0 && names[i].pc == names[i - 1].pc))
			continue;
		if (!grow(&profile->made, profile->made_count + 1, &profile->made_room))
			return -ENOMEM;
		profile->made[profile->made_count++] = (struct profile_made){
			.pc = names[i].pc, .object = object, .function = names[i].name};
		profile->objects[object].kind = OBJECT_JIT;
		profile->objects[object].name = "[jit]";
	}
	return 0;
}

static int read_map(struct profile *profile, uint32_t object, pid_t pid, FILE *stream,
		    struct perf_map_name *names, size_t count)
{
	unsigned bad = 0;
	int r;

	qsort(names, count, sizeof(*names), compare_names);
	r = perf_map_read(stream, names, count, profile->strings, &bad);
	if (r == 0)
		r = add_names(profile, object, names, count);
	if (r == 0 && bad > 0)
		r = profile_add_note(profile, "%u line%s of perf-%d.map make%s no sense", bad,
				     bad == 1 ? "" : "s", (int)pid, bad == 1 ? "s" : "");
	return r;
}

int jit_name(struct profile *profile, uint32_t object, pid_t pid, int fd, const uint64_t *pcs,
	     size_t count)
{
	AUTO_FREE struct perf_map_name *names = NULL;
	FILE *stream;
	int copy, r;

	copy = fd >= 0 ? dup(fd) : jit_open_map(profile, pid);
	stream = copy >= 0 ? fdopen(copy, "r") : NULL;
	if (!stream) {
		if (copy >= 0)
			close(copy);
		return 0;
	}
	names = calloc(count + 1, sizeof(*names));
	for (size_t i = 0; names && i < count; i++)
		names[i].pc = pcs[i];
	r = names ? read_map(profile, object, pid, stream, names, count) : -ENOMEM;
	fclose(stream);
	return r;
}

/* The code at one pc has a name; what is around it may have another. */
static int add_points(struct points *points, const struct profile_made *made, uint32_t frame)
{
	struct point point = {
		.address = made->pc,
		.object = made->object,
		.frame = frame,
		.frame_count = 1,
		.kind = POINT_NAMED,
	};

	if (points_add(points, &point) < 0)
		return -ENOMEM;
	point.address++;
	point.frame_count = 0;
	point.kind = POINT_GAP;
	return points_add(points, &point);
}

int jit_finish(struct profile *profile)
{
	struct points points = {.count = 0};
	int r = 0;

	if (profile->made_count == 0)
		return 0;
	profile->frames = calloc(profile->made_count, sizeof(*profile->frames));
	if (!profile->frames)
		return -ENOMEM;
	for (size_t i = 0; r == 0 && i < profile->made_count; i++) {
		profile->frames[i].function = profile->made[i].function;
		r = add_points(&points, &profile->made[i], (uint32_t)i);
	}
	profile->frame_count = profile->made_count;
	points_sort(&points);
	if (r == 0)
		r = points_to_places(&points, profile);
	points_done(&points);
	return r;
}
