/* SPDX-License-Identifier: MIT */
/*
 * From the start of a run to its end: who ticks, when profrun looks, and what is said afterwards.
 * The images themselves are collect_images.c's.
 */

#include "cli/collect/collect.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "cli/collect/collect_state.h"
#include "cli/collect/jit.h"
#include "cli/monotonic.h"
#include "cli/ticks/kernel_clock.h"

#define VISIT_MIN_MS 10
#define VISIT_MAX_MS 100
#define READ_MAX_MS  200 /* of rings, which call when they fill */
/* From here on waiting for a CPU bends what timers see, of so many ticks. */
#define BUSY	   0.05
#define BUSY_TICKS 20

#define VISITS_PER_AGE 64

static int open_poll(struct collect *collect, struct error *err)
{
	struct epoll_event event = {.events = EPOLLIN};

	collect->poll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (collect->poll_fd < 0)
		return error_set(err, -errno, "cannot wait for the program: ");
	if (collect->file->socket >= 0)
		epoll_ctl(collect->poll_fd, EPOLL_CTL_ADD, collect->file->socket, &event);
	return 0;
}

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
	collect->poll_fd = -1;
	r = arena_file_new(settings, &collect->file, err);
	if (r == 0)
		r = open_poll(collect, err);
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
	kernel_ticks_free(collect->kernel);
	signal_ticks_free(collect->signal);
	if (collect->poll_fd >= 0)
		close(collect->poll_fd);
	for (size_t i = 0; i < collect->live_count; i++)
		image_free(collect->live[i]);
	free(collect->live);
	free(collect->pending);
	pid_counts_done(&collect->images_of);
	queue_delay_done(&collect->delay);
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
	return collect->poll_fd;
}

bool collect_sees_privileged(const struct collect *collect)
{
	return collect->kernel && kernel_ticks_sees_privileged(collect->kernel);
}

/* The milliseconds until the window opens or closes, or -1. */
static int advance_window(struct collect *collect)
{
	int wait = window_advance(&collect->window, collect_images_cpu(collect));

	atomic_store(&collect->file->header->counting, window_is_open(&collect->window));
	return wait;
}

/* The target has not looked yet who ticks. Returns @r. */
static int let_timers_tick(struct collect *collect, int r)
{
	collect->settings.ticks = ARENA_TICKS_TIMER;
	collect->file->header->ticks = ARENA_TICKS_TIMER;
	return r;
}

static int start_kernel(struct collect *collect, struct error *err)
{
	const struct kernel_ticks_settings settings = {
		.profile = collect->profile,
		.rate = collect->settings.rate,
		.scale = collect->settings.scale,
		.main_only = collect->settings.flags & ARENA_MAIN_ONLY,
		.threads_apart = collect->settings.flags & ARENA_THREADS_APART,
		.no_follow = collect->settings.flags & ARENA_NO_FOLLOW,
		.by_ptrace = collect->settings.by_ptrace,
		.count_from = window_opens(&collect->window),
		.count_until = window_closes(&collect->window),
		.image_ended = collect_images_ended,
		.data = collect,
	};
	int r = kernel_ticks_new(&settings, collect->target, collect->poll_fd, &collect->kernel,
				 err);

	return r < 0 ? let_timers_tick(collect, r) : 0;
}

/* Where profrun sends the ticks. */
static int start_signal(struct collect *collect, struct error *err)
{
	const struct signal_ticks_settings settings = {
		.arena = collect->file,
		.rate = collect->settings.rate,
		.main_only = collect->settings.flags & ARENA_MAIN_ONLY,
		.verbose = collect->settings.verbose,
		.poll_fd = collect->poll_fd,
	};
	int r = signal_ticks_new(&settings, &collect->signal, err);

	return r < 0 ? let_timers_tick(collect, r) : 0;
}

int collect_started(struct collect *collect, pid_t pid, struct error *err)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	collect->profile->start_nanos = now.tv_sec * 1000000000LL + now.tv_nsec;
	collect->target = pid;
	window_start(&collect->window, collect->settings.delay, collect->settings.duration);
	if (collect->settings.ticks == ARENA_TICKS_KERNEL)
		return start_kernel(collect, err);
	return collect->settings.ticks == ARENA_TICKS_SIGNAL ? start_signal(collect, err) : 0;
}

/* Milliseconds. Young runs are looked at often, since they may be over soon. */
static int choose_wait(const struct collect *collect)
{
	int longest = collect->kernel ? READ_MAX_MS : VISIT_MAX_MS;
	double wait = VISIT_MIN_MS + 1e3 * window_age(&collect->window) / VISITS_PER_AGE;

	return wait < longest ? (int)wait : longest;
}

/* What has to be done now and then. Returns the milliseconds until the next time. */
static int visit(struct collect *collect)
{
	int next, due = -1, wait = choose_wait(collect);

	queue_delay_look(&collect->delay, collect->target);
	if (collect->kernel)
		collect_images_fail(collect, kernel_ticks_work(collect->kernel, &due));
	else
		collect_images_visit(collect);
	next = advance_window(collect);
	if (due >= 0)
		return due;
	return next >= 0 && next < wait ? next : wait;
}

/* Ticks that profrun sends come first, and far more often than visits. */
static int send_ticks(struct collect *collect)
{
	double now = monotonic_seconds();

	collect_images_fail(collect,
			    signal_ticks_work(collect->signal, collect->live, collect->live_count,
					      window_is_open(&collect->window)));
	if (now >= collect->visit_at)
		collect->visit_at = now + visit(collect) / 1e3;
	return (int)ceil(1e3 * (collect->visit_at - now));
}

int collect_work(struct collect *collect)
{
	arena_file_serve(collect->file);
	collect_images_find(collect);
	return collect->signal ? send_ticks(collect) : visit(collect);
}

bool collect_stopped(struct collect *collect, int status)
{
	return collect->kernel && kernel_ticks_stopped(collect->kernel, status);
}

static double effective(const struct profile *profile, double squares)
{
	double ticks = (double)profile->ticks;
	double result = squares > 0 ? ticks * ticks / squares : ticks;

	return result > ticks ? ticks : result;
}

static bool has_entered(struct collect *collect)
{
	unsigned *images;

	if (collect->kernel)
		return kernel_ticks_saw_target(collect->kernel);
	images = pid_counts_at(&collect->images_of, collect->target);
	return images && *images > 0;
}

static int add_window_notes(const struct collect *collect)
{
	const struct arena_settings *settings = &collect->settings;
	int r = 0;

	if (settings->delay > 0)
		r = profile_add_note(collect->profile, "counted from %g s after the start on",
				     settings->delay);
	if (r == 0 && collect->window.closed)
		r = profile_add_note(collect->profile, "counted for %g s", settings->duration);
	return r;
}

void collect_detach(struct collect *collect)
{
	arena_file_detach(collect->file);
	if (collect->kernel)
		kernel_ticks_detach(collect->kernel);
	/* What it has sent is the parent's to count. */
	collect->signal = NULL;
}

/* What the program waited for its CPU, as a part of the CPU time that is known exactly. */
static int add_delay(struct collect *collect)
{
	struct profile *profile = collect->profile;
	double cpu = profile_cpu_seconds(profile), part = queue_delay_part(&collect->delay, cpu);
	struct error err;

	profile->queued_seconds = part < 0 || part >= 1 ? -1 : cpu * part / (1 - part);
	if (collect->settings.ticks != ARENA_TICKS_TIMER || part < BUSY ||
	    profile->ticks < BUSY_TICKS)
		return 0;
	return profile_add_note(
		profile,
		"waited for a CPU for %.0f %% of the time in which it could run: "
		"shares by timers may be some points off; --ticks=kernel is exact%s",
		100 * part, kernel_clock_permitted(&err) == 0 ? "" : ", where root runs it");
}

int collect_finish(struct collect *collect)
{
	struct profile *profile = collect->profile;
	struct collect_facts facts = {
		.followed = !(collect->settings.flags & ARENA_NO_FOLLOW),
		.main_only = collect->settings.ticks == ARENA_TICKS_LIBC,
		.from_outside = collect->kernel,
	};
	double squares = 0;

	collect_images_find(collect);
	if (collect->kernel) {
		collect_images_fail(collect,
				    kernel_ticks_finish(collect->kernel, &facts.running, &squares));
		profile->unsampled_seconds = kernel_ticks_unsampled_seconds(collect->kernel);
	} else {
		facts.running = collect_images_end(collect);
		profile->unsampled_seconds =
			window_outside(&collect->window, profile_cpu_seconds(profile));
	}
	if (collect->file->detached)
		facts.running = 0;
	facts.entered = has_entered(collect);
	profile->effective_ticks = effective(profile, collect->squares + squares);
	collect_images_fail(collect, jit_finish(profile));
	collect_images_fail(collect, add_window_notes(collect));
	collect_images_fail(collect, add_delay(collect));
	if (collect->signal)
		collect_images_fail(collect, signal_ticks_describe(collect->signal, profile));
	collect_notes_failures(&collect->notes, collect->file);
	collect_notes_unentered(&collect->notes, collect->file);
	collect_images_fail(collect, collect_notes_write(&collect->notes, profile, &facts));
	return collect->failure;
}
