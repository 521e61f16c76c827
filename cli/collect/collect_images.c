/* SPDX-License-Identifier: MIT */
/*
 * The life of images: found by their slots, visited while they live, drained when their process has
 * ended or has become another image. profrun cannot wait for processes that are not its children,
 * so it asks the kernel now and then whether they are still there; ticks from outside come with the
 * news of all ends.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/collect/collect_state.h"
#include "cli/collect/image_threads.h"
#include "cli/collect/summons.h"
#include "cli/collect/task_status.h"
#include "cli/grow.h"
#include "symbolize/util.h"

#define NANOSECONDS 1000000000u
#define START_MAX   (60ull * NANOSECONDS)
#define PID_LIMIT   (1u << 22) /* the kernel's PID_MAX_LIMIT */

void collect_images_fail(struct collect *collect, int r)
{
	if (r < 0 && collect->failure == 0)
		collect->failure = r;
}

static double cpu_of(const struct collect *collect, const struct image *image)
{
	double seconds = collect->profile->processes[image->process].cpu_seconds;

	return seconds > 0 ? seconds : 0;
}

/* Adds @nanoseconds to *sum, and what makes whole ticks to the row @name. */
static int count_known(struct collect *collect, struct image *image, const char *name,
		       uint64_t *sum, uint64_t nanoseconds)
{
	struct profile_object object = {.kind = OBJECT_SPECIAL, .name = name};
	struct profile_entry entry = {.process = image->process, .size = 1};
	uint64_t tick = NANOSECONDS / collect->settings.rate;
	int64_t added;

	*sum += nanoseconds;
	entry.ticks = *sum / tick;
	if (entry.ticks == 0)
		return 0;
	*sum -= entry.ticks * tick;
	collect->squares += (double)entry.ticks;
	added = profile_add_object(collect->profile, &object);
	if (added < 0)
		return (int)added;
	entry.object = (uint32_t)added;
	added = image_first_thread(image, collect->profile);
	if (added < 0)
		return (int)added;
	entry.thread = (uint32_t)added;
	return profile_add_entry(collect->profile, &entry);
}

/*
 * The time from exec until ticks began, in the kernel, in the dynamic linker and in the preload, is
 * known exactly: it is turned into ticks as it adds up over the run.
 */
static int count_start(struct collect *collect, struct image *image)
{
	const struct arena_image *head = image->slice->image;
	uint64_t all = head->start_cpu - image->exec_cpu, own = head->own_cpu;
	int r;

	/* Beyond any real start: the value is damaged. */
	if (!image->started_inside || collect->kernel ||
	    collect->settings.ticks == ARENA_TICKS_LIBC || head->start_cpu < image->exec_cpu ||
	    all > START_MAX)
		return 0;
	if (own > all)
		own = all;
	r = count_known(collect, image, "[profrun]", &collect->own, own);
	return r < 0 ? r
		     : count_known(collect, image, "[program start]", &collect->starting,
				   all - own);
}

/*
 * What profrun itself counted in the kernel for an image whose histograms are not believed is true
 * nevertheless.
 */
static int keep_kernel_ticks(struct profile *profile, uint32_t process)
{
	int r = 0;

	for (size_t i = 0; i < profile->entry_count && r == 0; i++) {
		struct profile_entry entry = profile->entries[i];

		if (entry.process != process || entry.kernel <= entry.ticks)
			continue;
		entry.ticks = entry.kernel - entry.ticks;
		entry.kernel = 0;
		r = profile_add_entry(profile, &entry);
	}
	return r;
}

/* Takes what the image at @index of the live ones counted, and forgets it. */
static void end(struct collect *collect, size_t index, bool keep_slice)
{
	struct image *image = collect->live[index];
	const struct arena_image *head = image->slice->image;
	int r = 0;

	if (collect->signal)
		signal_ticks_end(collect->signal, image);
	/* An image that the kernel's records never met has counted nothing. */
	if (image->process != OBJECT_NONE)
		r = image_drain(image, collect->profile, &collect->settings);
	if (r == 0)
		r = count_start(collect, image);
	collect_images_fail(collect, r == -ENOMEM ? r : 0);
	if (r < 0 && r != -ENOMEM) {
		collect_notes_damaged(&collect->notes);
		collect_images_fail(collect, keep_kernel_ticks(collect->profile, image->process));
	}
	collect->squares += (double)atomic_load(&head->squares);
	if (image->process != OBJECT_NONE)
		collect->ended_cpu += cpu_of(collect, image);
	/* Nobody needs to enter what it becomes. */
	if (collect->kernel)
		collect_notes_entered(image);
	if (image->process != OBJECT_NONE)
		collect_notes_image(&collect->notes, image, collect->profile);
	if (!keep_slice)
		slice_punch(image->slice);
	image_free(image);
	collect->live[index] = collect->live[--collect->live_count];
}

/*
 * A process that becomes another image has ended the one before: returns the CPU time in
 * nanoseconds that it had used then, 0 if it is a new process that got the number of an old one.
 */
static uint64_t end_earlier(struct collect *collect, pid_t pid)
{
	uint64_t exec_cpu;

	for (size_t i = 0; i < collect->live_count; i++) {
		if (image_pid(collect->live[i]) != pid)
			continue;
		collect_notes_entered(collect->live[i]);
		exec_cpu = image_exec_cpu(collect->live[i]);
		end(collect, i, false);
		return exec_cpu;
	}
	return 0;
}

static int load(struct collect *collect, const struct arena_slot *slot, unsigned number,
		uint64_t exec_cpu)
{
	struct image *image;
	int r = image_load(collect->profile, collect->file, slot, &image);

	if (r < 0)
		return r;
	image->exec_cpu = exec_cpu;
	image->started_inside = window_is_open(&collect->window);
	if (!grow(&collect->live, collect->live_count + 1, &collect->live_room)) {
		image_free(image);
		return -ENOMEM;
	}
	collect->live[collect->live_count++] = image;
	return collect->kernel ? kernel_ticks_add_image(collect->kernel, image)
			       : image_add_process(image, collect->profile, number);
}

static void begin(struct collect *collect, const struct arena_slot *slot)
{
	unsigned *images = NULL;
	uint64_t exec_cpu = 0;
	int r = -EBADMSG;

	if (slot->pid > 0 && slot->pid < PID_LIMIT) {
		images = pid_counts_at(&collect->images_of, (pid_t)slot->pid);
		if (images && *images > 0 && !collect->kernel)
			exec_cpu = end_earlier(collect, (pid_t)slot->pid);
		r = images ? load(collect, slot, *images, exec_cpu) : -ENOMEM;
	}
	if (r == -EBADMSG)
		collect_notes_damaged(&collect->notes);
	else if (r < 0)
		collect_images_fail(collect, r);
	else
		++*images;
}

/* A page of slots. */
#define SLOTS_AT_ONCE 64u

/* Takes the slots from @first on, at most SLOTS_AT_ONCE, that are ready; the others wait. */
static void look_at(struct collect *collect, uint32_t first, uint32_t count)
{
	struct arena_slot slots[SLOTS_AT_ONCE];
	uint64_t at = ARENA_SLOTS_OFFSET + first * (uint64_t)sizeof(*slots);

	if (arena_file_read(collect->file, at, slots, count * sizeof(*slots)) < 0)
		return;
	for (uint32_t i = 0; i < count; i++) {
		if (slots[i].state == ARENA_SLOT_READY)
			begin(collect, &slots[i]);
		else if (grow(&collect->pending, collect->pending_count + 1,
			      &collect->pending_room))
			collect->pending[collect->pending_count++] = first + i;
	}
}

static void look_at_pending(struct collect *collect)
{
	size_t count = collect->pending_count;

	collect->pending_count = 0;
	for (size_t i = 0; i < count; i++)
		look_at(collect, collect->pending[i], 1);
}

void collect_images_find(struct collect *collect)
{
	uint32_t next = atomic_load(&collect->file->header->next_slot);

	look_at_pending(collect);
	/* A number that no run reaches is damage, and not a reason to read for minutes. */
	if (next > ARENA_SLOTS || next - collect->next_slot > ARENA_SLOTS / 16) {
		collect_notes_damaged(&collect->notes);
		return;
	}
	while (collect->next_slot < next) {
		uint32_t left = next - collect->next_slot;
		uint32_t count = left < SLOTS_AT_ONCE ? left : SLOTS_AT_ONCE;

		look_at(collect, collect->next_slot, count);
		collect->next_slot += count;
	}
}

static bool has_ended(pid_t pid)
{
	return kill(pid, 0) < 0 && errno == ESRCH;
}

static void visit(struct collect *collect, struct image *image)
{
	bool follow = !(collect->settings.flags & ARENA_NO_FOLLOW);

	collect_images_fail(collect, image_visit(image, collect->profile));
	if (collect->settings.ticks == ARENA_TICKS_TIMER || collect->signal)
		collect_images_fail(collect, summons_visit(image, collect->file->nonce,
							   &collect->images_of, follow));
}

void collect_images_visit(struct collect *collect)
{
	for (size_t i = collect->live_count; i > 0; i--) {
		struct image *image = collect->live[i - 1];

		if (image_pid(image) != collect->target && has_ended(image_pid(image)))
			end(collect, i - 1, false);
		else
			visit(collect, image);
	}
	for (size_t i = 0; i < collect->live_count; i++)
		queue_delay_look(&collect->delay, image_pid(collect->live[i]));
}

double collect_images_cpu(const struct collect *collect)
{
	double sum = collect->ended_cpu;

	if (collect->kernel)
		return kernel_ticks_cpu_seconds(collect->kernel);
	for (size_t i = 0; i < collect->live_count; i++)
		sum += cpu_of(collect, collect->live[i]);
	return sum;
}

void collect_images_ended(struct image *image, bool runs, void *data)
{
	struct collect *collect = data;

	for (size_t i = 0; i < collect->live_count; i++) {
		if (collect->live[i] == image) {
			end(collect, i, runs);
			return;
		}
	}
}

/* Whether a process that is still listed also still runs. */
static bool is_running(pid_t pid)
{
	struct task_stat stat;

	return task_stat_read(pid, 0, &stat) && !strchr("ZXx", stat.state);
}

size_t collect_images_end(struct collect *collect)
{
	size_t running = 0;

	while (collect->live_count > 0) {
		size_t last = collect->live_count - 1;
		pid_t pid = image_pid(collect->live[last]);
		bool runs = (pid != collect->target || collect->file->detached) && is_running(pid);

		running += runs;
		if (runs)
			collect_images_fail(collect,
					    image_visit(collect->live[last], collect->profile));
		end(collect, last, runs);
	}
	return running;
}
