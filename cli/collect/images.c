/* SPDX-License-Identifier: MIT */
/*
 * From a slice to entries of the profile. Raw addresses mean something only while the mappings in
 * which they were seen exist, so they are resolved as soon as they appear and stay what they were.
 */

#include "cli/collect/images.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/collect/image_raw.h"
#include "cli/collect/image_threads.h"
#include "cli/collect/jit.h"
#include "cli/collect/map_name.h"
#include "cli/collect/mapped_object.h"
#include "cli/collect/seen_file.h"
#include "cli/collect/summons.h"
#include "cli/collect/thread_names.h"
#include "cli/ticks/signal_threads.h"
#include "symbolize/util.h"

/* CLOCK_PROCESS_CPUTIME_ID of another process, as the kernel encodes it (posix-timers.h). */
#define PROCESS_CLOCK(pid) ((clockid_t)((~(unsigned)(pid) << 3) | 2))

pid_t image_pid(const struct image *image)
{
	return (pid_t)image->slice->image->pid;
}

uint64_t image_exec_cpu(struct image *image)
{
	const struct arena_image *head = image->slice->image;

	if (slice_refresh(image->slice) < 0 || !atomic_load(&head->executing))
		return 0;
	return atomic_load(&head->executing_cpu);
}

double image_process_cpu(pid_t pid)
{
	struct timespec time;

	if (clock_gettime(PROCESS_CLOCK(pid), &time) < 0)
		return -1;
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The path that the dynamic linker opened, made absolute, without the kernel's " (deleted)". */
char *image_object_path(const struct slice *slice, const char *name)
{
	const char *directory = slice_string(slice, slice->image->directory);
	size_t length = map_name_length(name);
	char *path;

	if (name[0] == '/' || !directory[0])
		return strndup(name, length);
	return asprintf(&path, "%s/%.*s", directory, (int)length, name) < 0 ? NULL : path;
}

static void keep_file(struct profile *profile, uint32_t index, const struct sighting *sighting)
{
	struct seen_file *file = NULL;

	if (!profile_wants_file(profile, index) || seen_file_open(sighting, &file) == -EMFILE)
		return;
	profile_keep_file(profile, index, file);
}

static int64_t add_region_object(struct profile *profile, const struct slice *slice,
				 const struct arena_region *region)
{
	struct profile_object object = {.kind = OBJECT_FILE};
	AUTO_FREE char *path = image_object_path(slice, slice_string(slice, region->name));
	struct sighting sighting = {
		.pid = (pid_t)slice->image->pid,
		.path = path,
		.is_main = region->flags & ARENA_REGION_MAIN,
		.address = region->start,
	};
	int64_t index;

	if (!path)
		return -ENOMEM;
	object.build_id.size = region->build_id_size;
	memcpy(object.build_id.bytes, region->build_id, region->build_id_size);
	object.path = path;
	object.name = basename(path);
	if (region->flags & ARENA_REGION_VDSO)
		object = (struct profile_object){.kind = OBJECT_VDSO, .name = "[vdso]"};
	if (region->flags & ARENA_REGION_OWN)
		object = (struct profile_object){.kind = OBJECT_SPECIAL, .name = "[profrun]"};
	index = profile_add_object(profile, &object);
	sighting.build_id = object.build_id;
	if (index >= 0)
		keep_file(profile, (uint32_t)index, &sighting);
	return index;
}

static int add_objects(struct image *image, struct profile *profile)
{
	const struct slice *slice = image->slice;
	uint32_t count = slice->image->region_count;

	image->objects = calloc(count + 1, sizeof(*image->objects));
	if (!image->objects)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		int64_t object = add_region_object(profile, slice, &slice->regions[i]);

		if (object < 0)
			return (int)object;
		image->objects[i] = (uint32_t)object;
	}
	return 0;
}

int image_add_process(struct image *image, struct profile *profile, unsigned number)
{
	const struct slice *slice = image->slice;
	const char *executable = slice_string(slice, slice->image->executable);
	struct profile_process process = {
		.pid = image_pid(image),
		.parent = (pid_t)slice->image->parent,
		.image = number,
		.command = basename(executable),
		.command_line = slice_string(slice, slice->image->command_line),
		.cpu_seconds = -1,
	};
	int64_t index = profile_add_process(profile, &process);

	image->process = (uint32_t)index;
	return index < 0 ? (int)index : 0;
}

int image_load(struct profile *profile, const struct arena_file *file,
	       const struct arena_slot *slot, struct image **ret_image)
{
	struct image *image = calloc(1, sizeof(*image));
	int r;

	if (!image)
		return -ENOMEM;
	image->process = OBJECT_NONE;
	image->perf_map = -1;
	r = slice_load(file, slot, &image->slice);
	if (r == 0)
		r = add_objects(image, profile);
	if (r < 0) {
		image_free(image);
		return r;
	}
	image->cpu_before = image_process_cpu(image_pid(image));
	*ret_image = image;
	return 0;
}

void image_free(struct image *image)
{
	if (!image)
		return;
	slice_free(image->slice);
	free(image->objects);
	free(image->raw);
	free(image->counts);
	thread_names_free(image->names);
	summons_free(image->summons);
	signal_threads_free(image->probed);
	if (image->perf_map >= 0)
		close(image->perf_map);
	free(image);
}

static void read_clock(struct image *image, struct profile *profile)
{
	double now = image_process_cpu(image_pid(image));

	if (now >= 0 && image->cpu_before >= 0)
		profile->processes[image->process].cpu_seconds = now - image->cpu_before;
}

int image_visit(struct image *image, struct profile *profile)
{
	int r = slice_refresh(image->slice);

	if (r < 0)
		return 0;
	read_clock(image, profile);
	if (image_threads_visit(image) < 0)
		return -ENOMEM;
	r = image_take_carries(image);
	if (r == 0)
		r = image_raw_resolve(image, profile);
	/* When the process has ended its /tmp may be out of reach. */
	if (image->has_jit && image->perf_map < 0)
		image->perf_map = jit_open_map(profile, image_pid(image));
	return r;
}
