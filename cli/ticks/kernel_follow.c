/* SPDX-License-Identifier: MIT */
/* What each kind of record means for the processes that are followed; all others are not ours. */

#include "cli/ticks/kernel_follow.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void check(struct kernel_follow *follow, int r)
{
	if (r < 0 && follow->failure == 0)
		follow->failure = r;
}

int kernel_follow_begin(struct kernel_follow *follow, pid_t pid)
{
	follow->target = pid;
	follow->target_index = KERNEL_NONE;
	return kernel_process_add(&follow->processes, pid, NULL) ? 0 : -ENOMEM;
}

void kernel_follow_done(struct kernel_follow *follow)
{
	kernel_processes_done(&follow->processes);
	kernel_texts_done(&follow->counter.texts);
}

int kernel_follow_add_image(struct kernel_follow *follow, struct image *image)
{
	struct kernel_process *process = kernel_process_find(&follow->processes, image_pid(image));
	struct image **end;

	/* Its slot may be seen before the record of its fork. */
	if (!process)
		process = kernel_process_add(&follow->processes, image_pid(image), NULL);
	if (!process)
		return -ENOMEM;
	for (end = &process->waiting; *end; end = &(*end)->next)
		;
	*end = image;
	return 0;
}

static void end_image(struct kernel_follow *follow, struct image *image, bool runs)
{
	if (image)
		follow->image_ended(image, runs, follow->data);
}

/* The regions that the preload registered take the place of the mappings that they lie in. */
static int add_regions(struct kernel_process *process, const struct image *image)
{
	const struct slice *slice = image->slice;
	int r = 0;

	for (uint32_t i = 0; i < slice->image->region_count && r == 0; i++) {
		const struct arena_region *region = &slice->regions[i];
		const struct kernel_mapping mapping = {
			.start = region->start,
			.end = region->start + region->length,
			.base = region->start,
			.address = region->address,
			.object = image->objects[i],
			.text = KERNEL_NONE,
			.region = i,
		};

		if (mapping.end > mapping.start)
			r = kernel_maps_add(&process->maps, &mapping);
	}
	return r;
}

/* Gives @process the images that announced themselves up to @time. */
static void attach_images(struct kernel_follow *follow, struct kernel_process *process,
			  uint64_t time)
{
	while (process->waiting && process->waiting->slice->image->start_time <= time) {
		struct image *image = process->waiting;

		process->waiting = image->next;
		image->next = NULL;
		if (image->slice->image->start_time < process->exec_time) {
			end_image(follow, image, false);
			continue;
		}
		end_image(follow, process->image, false);
		process->image = image;
		process->loaded = true;
		check(follow, kernel_count_process(&follow->counter, process));
		image->process = process->index;
		check(follow, add_regions(process, image));
	}
}

static void end_process(struct kernel_follow *follow, struct kernel_process *process, uint64_t time,
			bool runs)
{
	attach_images(follow, process, time);
	end_image(follow, process->image, runs);
	check(follow, kernel_count_end(&follow->counter, process));
	if (process->pid == follow->target && follow->saw_target) {
		check(follow, kernel_count_process(&follow->counter, process));
		follow->target_index = process->index;
	}
	follow->settled_clock += process->settled_clock;
	follow->settled_sampled += process->settled_sampled;
	kernel_process_remove(&follow->processes, process->pid);
}

static bool counts(const struct kernel_follow *follow, uint64_t time)
{
	double seconds = (double)time * 1e-9;

	return seconds >= follow->count_from && seconds < follow->count_until;
}

static void handle_sample(struct kernel_follow *follow, const struct kernel_record *record)
{
	struct kernel_process *process = kernel_process_find(&follow->processes, record->pid);
	uint64_t weight, before;

	if (!process)
		return;
	attach_images(follow, process, record->time);
	before = process->stood;
	weight = kernel_process_weigh(&follow->processes, process, record->period);
	follow->stood += process->stood - before;
	if (counts(follow, record->time))
		check(follow, kernel_count_sample(&follow->counter, process, record, weight));
	else
		follow->outside += process->stood - before;
}

static void handle_map(struct kernel_follow *follow, const struct kernel_record *record)
{
	struct kernel_process *process = kernel_process_find(&follow->processes, record->pid);
	struct kernel_mapping mapping = {
		.start = record->start,
		.end = record->start + record->length,
		.base = record->start,
		.object = KERNEL_NONE,
		.region = KERNEL_NONE,
	};

	if (!process)
		return;
	attach_images(follow, process, record->time);
	mapping.text = kernel_texts_add(&follow->counter.texts, &record->piece);
	/* The kernel maps the program first and the vDSO last. */
	if (process->main == KERNEL_NONE)
		process->main = mapping.text;
	if (strcmp(record->piece.path, "[vdso]") == 0)
		process->loaded = true;
	check(follow, kernel_maps_add(&process->maps, &mapping));
}

static void name_thread(struct kernel_follow *follow, struct kernel_process *process, pid_t tid,
			const char *name)
{
	if (process && follow->counter.threads_apart)
		check(follow,
		      kernel_threads_name(&process->known, follow->counter.profile, tid, name));
}

static void handle_name(struct kernel_follow *follow, const struct kernel_record *record)
{
	name_thread(follow, kernel_process_find(&follow->processes, record->pid), record->tid,
		    record->name);
}

/* A new thread, of whatever process, is called as the one that made it. */
static void name_child(struct kernel_follow *follow, struct kernel_process *child,
		       const struct kernel_process *parent, const struct kernel_record *record)
{
	const char *known = kernel_threads_find_name(&parent->known, record->parent_tid);
	char name[sizeof(parent->name)];

	snprintf(name, sizeof(name), "%s", known[0] ? known : parent->name);
	/* Until now it was that of a thread that has ended, whose end may have had samples. */
	kernel_threads_remove(&child->known, record->tid);
	name_thread(follow, child, record->tid, name);
}

static void handle_exec(struct kernel_follow *follow, const struct kernel_record *record)
{
	struct kernel_process *process = kernel_process_find(&follow->processes, record->pid);

	if (!process)
		return;
	attach_images(follow, process, record->time);
	end_image(follow, process->image, false);
	process->image = NULL;
	check(follow, kernel_count_end(&follow->counter, process));
	follow->saw_target |= record->pid == follow->target;
	check(follow, kernel_process_exec(process, record->name, record->time));
	name_thread(follow, process, record->pid, record->name);
}

/* Ends what had the number of a new process; returns the images that are the new one's. */
static struct image *end_predecessor(struct kernel_follow *follow, struct kernel_process *process,
				     uint64_t time)
{
	struct image *waiting;

	if (!process)
		return NULL;
	attach_images(follow, process, time);
	waiting = process->waiting;
	process->waiting = NULL;
	end_process(follow, process, time, false);
	return waiting;
}

static void handle_fork(struct kernel_follow *follow, const struct kernel_record *record)
{
	struct kernel_process *parent = kernel_process_find(&follow->processes, record->parent);
	struct kernel_process *child = kernel_process_find(&follow->processes, record->pid);
	struct image *waiting;

	if (record->pid == record->parent) {
		if (parent) {
			parent->threads++;
			name_child(follow, parent, parent, record);
		}
		return;
	}
	if (!parent || follow->no_follow) {
		/* Somebody else's, who may have got the number of one that has ended. */
		if (child && child->threads == 0 && !child->waiting)
			end_process(follow, child, record->time, false);
		return;
	}
	attach_images(follow, parent, record->time);
	waiting = end_predecessor(follow, child, record->time);
	child = kernel_process_add(&follow->processes, record->pid, parent);
	check(follow, child ? 0 : -ENOMEM);
	if (!child)
		return;
	child->waiting = waiting;
	name_child(follow, child, parent, record);
}

/* The kernel tells of the exit first and takes the process down then, which is its time as well. */
static void handle_exit(struct kernel_follow *follow, const struct kernel_record *record)
{
	struct kernel_process *process = kernel_process_find(&follow->processes, record->pid);

	/* An exec that changes the process's rights is told as an exit, too. */
	if (!process || (record->tid == record->pid && !process->loaded))
		return;
	if (process->threads > 0 && --process->threads == 0) {
		attach_images(follow, process, record->time);
		end_image(follow, process->image, false);
		process->image = NULL;
	}
}

static void handle_lost(struct kernel_follow *follow, const struct kernel_record *record)
{
	follow->lost += record->lost;
}

static void handle_throttle(struct kernel_follow *follow, const struct kernel_record *record)
{
	(void)record;
	follow->throttles++;
}

void kernel_follow_record(struct kernel_follow *follow, const struct kernel_record *record)
{
	static void (*const handlers[])(struct kernel_follow *, const struct kernel_record *) = {
		[KERNEL_SAMPLE] = handle_sample,     [KERNEL_MAP] = handle_map,
		[KERNEL_EXEC] = handle_exec,	     [KERNEL_FORK] = handle_fork,
		[KERNEL_EXIT] = handle_exit,	     [KERNEL_LOST] = handle_lost,
		[KERNEL_THROTTLE] = handle_throttle, [KERNEL_NAME] = handle_name,
	};

	if (handlers[record->kind])
		handlers[record->kind](follow, record);
}

void kernel_follow_sweep(struct kernel_follow *follow)
{
	for (size_t i = 0; i < KERNEL_CHAINS; i++) {
		struct kernel_process *process = follow->processes.chains[i], *next;

		for (; process; process = next) {
			next = process->next;
			if (process->threads > 0 || process->waiting ||
			    process->pid == follow->target)
				continue;
			if (process->gone)
				end_process(follow, process, UINT64_MAX, false);
			else
				process->gone = kill(process->pid, 0) < 0 && errno == ESRCH;
		}
	}
}

size_t kernel_follow_end(struct kernel_follow *follow)
{
	size_t running = 0;

	for (size_t i = 0; i < KERNEL_CHAINS; i++) {
		while (follow->processes.chains[i]) {
			struct kernel_process *process = follow->processes.chains[i];
			bool runs = process->pid != follow->target && process->threads > 0 &&
				    kill(process->pid, 0) == 0;

			running += runs;
			end_process(follow, process, UINT64_MAX, runs);
		}
	}
	return running;
}
