/* SPDX-License-Identifier: MIT */
/*
 * A pc is looked up in what was mapped when it was seen. Time in the kernel belongs to the code
 * that asked for it; where there is none (a program is being loaded, a process is being taken down)
 * it has a row of its own.
 */

#include "cli/ticks/kernel_count.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/collect/jit.h"
#include "cli/grow.h"
#include "symbolize/util.h"

#define COMMAND_LINE_MAX 512

/* Whether the process still executes @path. */
static bool still_executes(pid_t pid, const char *path)
{
	char link[64], target[PATH_MAX];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	length = readlink(link, target, sizeof(target) - 1);
	return length == (ssize_t)strlen(path) && memcmp(target, path, (size_t)length) == 0;
}

/* Arguments joined by blanks; "" when they cannot be had any more. */
static void read_command_line(pid_t pid, char *line, size_t size)
{
	char path[64];
	ssize_t length;
	AUTO_CLOSE int fd = -1;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	length = fd < 0 ? -1 : read(fd, line, size - 1);
	if (length < 0)
		length = 0;
	while (length > 0 && line[length - 1] == '\0')
		length--;
	line[length] = '\0';
	for (ssize_t i = 0; i < length; i++) {
		if (line[i] == '\0')
			line[i] = ' ';
	}
}

int kernel_count_process(struct kernel_counter *counter, struct kernel_process *process)
{
	char line[COMMAND_LINE_MAX] = "";
	struct profile_process added = {
		.pid = process->pid,
		.parent = process->parent,
		.image = process->execs > 0 ? process->execs - 1 : 0,
		.command = process->name,
		.cpu_seconds = -1,
	};
	const char *path = NULL;
	int64_t index;

	if (process->index != KERNEL_NONE)
		return 0;
	if (process->main != KERNEL_NONE)
		path = kernel_texts_path(&counter->texts, process->main);
	if (path)
		added.command = basename(path);
	if (path && still_executes(process->pid, path))
		read_command_line(process->pid, line, sizeof(line));
	added.command_line = line[0] ? line : added.command;
	index = profile_add_process(counter->profile, &added);
	if (index < 0)
		return (int)index;
	process->index = (uint32_t)index;
	return 0;
}

static int add_entry(struct kernel_counter *counter, const struct profile_entry *entry)
{
	counter->squares += (double)entry->ticks * (double)entry->ticks;
	return profile_add_entry(counter->profile, entry);
}

static int add_special(struct kernel_counter *counter, struct profile_entry *entry,
		       enum object_kind kind, const char *name)
{
	const struct profile_object object = {.kind = kind, .name = name};
	int64_t added = profile_add_object(counter->profile, &object);

	if (added < 0)
		return (int)added;
	entry->object = (uint32_t)added;
	entry->size = 1;
	return add_entry(counter, entry);
}

static int add_outside(struct kernel_counter *counter, struct profile_entry *entry)
{
	char name[300];

	snprintf(name, sizeof(name), "[outside %.255s]",
		 counter->profile->processes[entry->process].command);
	return add_special(counter, entry, OBJECT_SPECIAL, name);
}

/* Only what was in the kernel goes into the profile now: the rest when the image is drained. */
static int count_in_image(struct kernel_counter *counter, struct image *image,
			  const struct kernel_mapping *mapping, uint64_t pc,
			  struct profile_entry *entry)
{
	struct slice_bucket bucket;
	int r = image_tick(image, mapping->region, pc, entry->ticks, &bucket);

	if (r == -ENOMEM)
		return r;
	if (r < 0)
		return add_special(counter, entry, OBJECT_UNKNOWN, "[unknown]");
	entry->object = mapping->object;
	entry->address = bucket.address;
	entry->size = bucket.size;
	entry->ticks = 0;
	return entry->kernel ? profile_add_entry(counter->profile, entry) : 0;
}

/* The histogram that the preload would have registered is the profile itself. */
static int count_in_text(struct kernel_counter *counter, const struct kernel_mapping *mapping,
			 uint64_t pc, struct profile_entry *entry)
{
	const struct arena_region text = {
		.start = mapping->base,
		.address = mapping->address,
		.length = mapping->end - mapping->base,
		.scale = counter->scale,
	};
	struct slice_bucket bucket =
		slice_bucket_at(&text, slice_bucket_index(&text, pc), entry->ticks);

	entry->object = mapping->object;
	entry->address = bucket.address;
	entry->size = bucket.size;
	return add_entry(counter, entry);
}

static bool is_main(const struct kernel_process *process, const struct kernel_mapping *mapping)
{
	return mapping->region != KERNEL_NONE ||
	       (mapping->text != KERNEL_NONE && mapping->text == process->main);
}

/* When the process has ended its /tmp may be out of reach: the map is looked for now and then. */
static int count_jit(struct kernel_counter *counter, struct kernel_process *process, uint64_t pc,
		     struct profile_entry *entry)
{
	int64_t object = process->jit;

	if (process->jit == KERNEL_NONE)
		object = jit_add_object(counter->profile, process->index);
	if (object < 0)
		return (int)object;
	process->jit = entry->object = (uint32_t)object;
	entry->address = pc;
	entry->size = 1;
	process->jit_ticks++;
	if (process->perf_map < 0 && (process->jit_ticks & (process->jit_ticks - 1)) == 0)
		process->perf_map = jit_open_map(counter->profile, process->pid);
	return add_entry(counter, entry);
}

int kernel_count_end(struct kernel_counter *counter, struct kernel_process *process)
{
	const struct profile *profile = counter->profile;
	AUTO_FREE uint64_t *pcs = NULL;
	size_t count = 0, room = 0;
	uint32_t jit = process->jit;

	if (jit == KERNEL_NONE)
		return 0;
	process->jit = KERNEL_NONE;
	for (size_t i = 0; i < profile->entry_count; i++) {
		if (profile->entries[i].object != jit)
			continue;
		if (!grow(&pcs, count + 1, &room))
			return -ENOMEM;
		pcs[count++] = profile->entries[i].address;
	}
	return jit_name(counter->profile, jit, process->pid, process->perf_map, pcs, count);
}

static int count_pc(struct kernel_counter *counter, struct kernel_process *process,
		    const struct kernel_record *sample, struct profile_entry *entry)
{
	struct kernel_mapping *mapping = kernel_maps_find(process->maps, sample->pc);
	int r = 0;

	if (!mapping)
		return counter->main_only
			       ? add_outside(counter, entry)
			       : add_special(counter, entry, OBJECT_UNKNOWN, "[unknown]");
	if (counter->main_only && !is_main(process, mapping))
		return add_outside(counter, entry);
	if (mapping->object == KERNEL_NONE && mapping->text == KERNEL_NONE)
		return count_jit(counter, process, sample->pc, entry);
	if (mapping->object == KERNEL_NONE)
		r = kernel_texts_resolve(&counter->texts, counter->profile, process->pid, mapping);
	if (r == -ENOEXEC) {
		mapping->text = KERNEL_NONE;
		return count_jit(counter, process, sample->pc, entry);
	}
	if (r < 0)
		return r;
	/* What profrun knows of the vDSO is its own, of 64 bits. */
	if (sample->is_32bit && counter->profile->objects[mapping->object].kind == OBJECT_VDSO)
		return add_special(counter, entry, OBJECT_SPECIAL, "[vdso]");
	if (process->image && !counter->threads_apart && mapping->region != KERNEL_NONE)
		return count_in_image(counter, process->image, mapping, sample->pc, entry);
	return count_in_text(counter, mapping, sample->pc, entry);
}

static int find_thread(struct kernel_counter *counter, struct kernel_process *process, pid_t tid,
		       uint32_t *ret_thread)
{
	int64_t number;

	/* One that is being taken down has no number any more: the kernel says -1. */
	if (!counter->threads_apart || tid <= 0)
		return 0;
	number = kernel_threads_number(&process->known, counter->profile, process->index, tid);
	if (number < 0)
		return (int)number;
	*ret_thread = (uint32_t)number;
	return 0;
}

int kernel_count_sample(struct kernel_counter *counter, struct kernel_process *process,
			const struct kernel_record *sample, uint64_t weight)
{
	struct profile_entry entry = {.ticks = weight};
	int r;

	if (!sample->in_kernel)
		process->loaded = true;
	if (weight == 0)
		return 0;
	r = kernel_count_process(counter, process);
	if (r < 0)
		return r;
	entry.process = process->index;
	r = find_thread(counter, process, sample->tid, &entry.thread);
	if (r < 0)
		return r;
	entry.kernel = sample->in_kernel ? weight : 0;
	if (!sample->has_pc)
		return add_special(counter, &entry, OBJECT_SPECIAL, "[kernel]");
	if (!process->loaded)
		return add_special(counter, &entry, OBJECT_SPECIAL, "[program start]");
	return count_pc(counter, process, sample, &entry);
}

int kernel_count_unseen(struct kernel_counter *counter, uint32_t index, uint64_t weight)
{
	struct profile_entry entry = {.process = index, .ticks = weight, .kernel = weight};

	/* It is known, not sampled: the weight of each tick is one. */
	counter->squares -= (double)weight * (double)weight - (double)weight;
	return add_special(counter, &entry, OBJECT_SPECIAL, "[kernel]");
}
