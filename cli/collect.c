/* SPDX-License-Identifier: MIT */
/*
 * The life of images: found by their slots, visited while they live, drained when their process has
 * ended or has become another image. profrun cannot wait for processes that are not its children,
 * so it asks the kernel now and then whether they are still there.
 */

#include "cli/collect.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/collect_notes.h"
#include "cli/grow.h"
#include "cli/images.h"
#include "cli/pid_counts.h"
#include "cli/window.h"
#include "symbolize/util.h"

#define NANOSECONDS    1000000000u
#define START_MAX      (60ull * NANOSECONDS)
#define PID_LIMIT      (1u << 22) /* the kernel's PID_MAX_LIMIT */
#define VISIT_MIN_MS   10
#define VISIT_MAX_MS   100
#define VISITS_PER_AGE 16 /* young runs are looked at often: they may be over soon */

struct collect {
	struct arena_file *file;
	struct profile *profile;
	struct collect_notes notes;
	uint32_t next_slot; /* slots below have been looked at */
	uint32_t *pending;  /* slots that were taken and not yet ready */
	size_t pending_count, pending_room;
	struct image **live;
	size_t live_count, live_room;
	struct pid_counts images_of; /* how many images each process has had */
	double squares;		     /* of the weights of all ticks */
	uint64_t starting;	     /* nanoseconds of program starts that make no whole tick yet */
	uint64_t rounds;
	struct window window;
	double ended_cpu; /* seconds of CPU time of the images that ended */
	struct arena_settings settings;
	pid_t target;
	int failure; /* the first -ENOMEM */
};

int collect_new(const struct arena_settings *settings, struct profile *profile,
		struct collect **ret_collect, struct error *err)
{
	struct collect *collect = calloc(1, sizeof(*collect));
	int r;

	if (!collect)
		return error_set(err, -ENOMEM, "out of memory");
	collect->profile = profile;
	collect->settings = *settings;
	collect->settings.preload = NULL;
	r = arena_file_new(settings, &collect->file, err);
	if (r < 0) {
		collect_free(collect);
		return r;
	}
	*ret_collect = collect;
	return 0;
}

void collect_free(struct collect *collect)
{
	if (!collect)
		return;
	for (size_t i = 0; i < collect->live_count; i++)
		image_free(collect->live[i]);
	free(collect->live);
	free(collect->pending);
	pid_counts_done(&collect->images_of);
	collect_notes_done(&collect->notes);
	arena_file_free(collect->file);
	free(collect);
}

const char *collect_control(const struct collect *collect)
{
	return collect->file->control;
}

int collect_work_fd(const struct collect *collect)
{
	return collect->file->socket;
}

void collect_started(void *data, pid_t pid)
{
	struct collect *collect = data;

	collect->target = pid;
	window_start(&collect->window, collect->settings.delay, collect->settings.duration);
}

static void fail(struct collect *collect, int r)
{
	if (r < 0 && collect->failure == 0)
		collect->failure = r;
}

static double cpu_of(const struct collect *collect, const struct image *image)
{
	double seconds = collect->profile->processes[image->process].cpu_seconds;

	return seconds > 0 ? seconds : 0;
}

/*
 * The time from exec until ticks began, in the kernel and in the dynamic linker, is known exactly:
 * it is turned into ticks as it adds up over the run.
 */
static int count_start(struct collect *collect, const struct image *image)
{
	const struct arena_image *head = image->slice->image;
	struct profile_object object = {.kind = OBJECT_SPECIAL, .name = "[program start]"};
	struct profile_entry entry = {.process = image->process, .size = 1};
	uint64_t tick = NANOSECONDS / collect->settings.rate;
	int64_t added;

	/* Beyond any real start: the value is damaged. */
	if (!image->started_inside || collect->settings.ticks == ARENA_TICKS_LIBC ||
	    head->start_cpu < image->exec_cpu || head->start_cpu - image->exec_cpu > START_MAX)
		return 0;
	collect->starting += head->start_cpu - image->exec_cpu;
	entry.ticks = collect->starting / tick;
	if (entry.ticks == 0)
		return 0;
	collect->starting -= entry.ticks * tick;
	collect->squares += (double)entry.ticks;
	added = profile_add_object(collect->profile, &object);
	if (added < 0)
		return (int)added;
	entry.object = (uint32_t)added;
	return profile_add_entry(collect->profile, &entry);
}

/* Takes what the image at @index of the live ones counted, and forgets it. */
static void end(struct collect *collect, size_t index, bool keep_slice)
{
	struct image *image = collect->live[index];
	const struct arena_image *head = image->slice->image;
	int r = image_drain(image, collect->profile, &collect->settings);

	if (r == 0)
		r = count_start(collect, image);
	fail(collect, r == -ENOMEM ? r : 0);
	if (r < 0 && r != -ENOMEM)
		collect_notes_damaged(&collect->notes);
	collect->squares += (double)atomic_load(&head->squares);
	collect->ended_cpu += cpu_of(collect, image);
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
	int r = image_load(collect->profile, collect->file, slot, number, &image);

	if (r < 0)
		return r;
	image->exec_cpu = exec_cpu;
	image->started_inside = window_is_open(&collect->window);
	if (!grow(&collect->live, collect->live_count + 1, &collect->live_room)) {
		image_free(image);
		return -ENOMEM;
	}
	collect->live[collect->live_count++] = image;
	return 0;
}

static void begin(struct collect *collect, const struct arena_slot *slot)
{
	unsigned *images = NULL;
	uint64_t exec_cpu = 0;
	int r = -EBADMSG;

	if (slot->pid > 0 && slot->pid < PID_LIMIT) {
		images = pid_counts_at(&collect->images_of, (pid_t)slot->pid);
		if (images && *images > 0)
			exec_cpu = end_earlier(collect, (pid_t)slot->pid);
		r = images ? load(collect, slot, *images, exec_cpu) : -ENOMEM;
	}
	if (r == -EBADMSG)
		collect_notes_damaged(&collect->notes);
	else if (r < 0)
		fail(collect, r);
	else
		++*images;
}

static void look_at(struct collect *collect, uint32_t number)
{
	struct arena_slot slot;
	uint64_t at = ARENA_SLOTS_OFFSET + number * (uint64_t)sizeof(slot);

	if (arena_file_read(collect->file, at, &slot, sizeof(slot)) < 0)
		return;
	if (slot.state == ARENA_SLOT_READY)
		begin(collect, &slot);
	else if (grow(&collect->pending, collect->pending_count + 1, &collect->pending_room))
		collect->pending[collect->pending_count++] = number;
}

static void look_at_pending(struct collect *collect)
{
	size_t count = collect->pending_count;

	collect->pending_count = 0;
	for (size_t i = 0; i < count; i++)
		look_at(collect, collect->pending[i]);
}

static void find_images(struct collect *collect)
{
	uint32_t next = atomic_load(&collect->file->header->next_slot);

	look_at_pending(collect);
	/* A number that no run reaches is damage, and not a reason to read for minutes. */
	if (next > ARENA_SLOTS || next - collect->next_slot > ARENA_SLOTS / 16) {
		collect_notes_damaged(&collect->notes);
		return;
	}
	for (; collect->next_slot < next; collect->next_slot++)
		look_at(collect, collect->next_slot);
}

static bool has_ended(pid_t pid)
{
	return kill(pid, 0) < 0 && errno == ESRCH;
}

static void visit_images(struct collect *collect)
{
	for (size_t i = collect->live_count; i > 0; i--) {
		struct image *image = collect->live[i - 1];

		if (image_pid(image) != collect->target && has_ended(image_pid(image)))
			end(collect, i - 1, false);
		else
			fail(collect, image_visit(image, collect->profile));
	}
}

/* Seconds of CPU time that all images have used, as of the last visits. */
static double cpu_so_far(const struct collect *collect)
{
	double sum = collect->ended_cpu;

	for (size_t i = 0; i < collect->live_count; i++)
		sum += cpu_of(collect, collect->live[i]);
	return sum;
}

/* The milliseconds until the window opens or closes, or -1. */
static int advance_window(struct collect *collect)
{
	int wait = window_advance(&collect->window, cpu_so_far(collect));

	atomic_store(&collect->file->header->counting, window_is_open(&collect->window));
	return wait;
}

int collect_work(void *data)
{
	struct collect *collect = data;
	uint64_t wait = VISIT_MIN_MS + collect->rounds++ / VISITS_PER_AGE * 2;
	int next;

	arena_file_serve(collect->file);
	find_images(collect);
	visit_images(collect);
	next = advance_window(collect);
	if (wait > VISIT_MAX_MS)
		wait = VISIT_MAX_MS;
	return next >= 0 && next < (int)wait ? next : (int)wait;
}

/* Whether a process that is still listed also still runs. */
static bool is_running(pid_t pid)
{
	char path[64], line[512];
	const char *state;
	ssize_t size;
	AUTO_CLOSE int fd = -1;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	size = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);
	if (size <= 0)
		return false;
	line[size] = '\0';
	state = strrchr(line, ')');
	return state && state[1] == ' ' && !strchr("ZXx", state[2]);
}

static double effective(const struct profile *profile, double squares)
{
	double ticks = (double)profile->ticks;
	double result = squares > 0 ? ticks * ticks / squares : ticks;

	return result > ticks ? ticks : result;
}

int collect_finish(struct collect *collect)
{
	struct collect_facts facts = {.running = 0};
	unsigned *images;

	find_images(collect);
	images = pid_counts_at(&collect->images_of, collect->target);
	facts.entered = images && *images > 0;
	while (collect->live_count > 0) {
		size_t last = collect->live_count - 1;
		pid_t pid = image_pid(collect->live[last]);
		bool runs = pid != collect->target && is_running(pid);

		facts.running += runs;
		if (runs)
			fail(collect, image_visit(collect->live[last], collect->profile));
		end(collect, last, runs);
	}
	collect->profile->unsampled_seconds =
		window_outside(&collect->window, profile_cpu_seconds(collect->profile));
	collect->profile->effective_ticks = effective(collect->profile, collect->squares);
	if (collect->settings.delay > 0)
		profile_add_note(collect->profile, "counted from %g s after the start on",
				 collect->settings.delay);
	if (collect->window.closed)
		profile_add_note(collect->profile, "counted for %g s", collect->settings.duration);
	collect_notes_failures(&collect->notes, collect->file);
	facts.followed = !(collect->settings.flags & ARENA_NO_FOLLOW);
	facts.main_only = collect->settings.ticks == ARENA_TICKS_LIBC;
	fail(collect, collect_notes_write(&collect->notes, collect->profile, &facts));
	return collect->failure;
}
