/* SPDX-License-Identifier: MIT */
/*
 * Records of all CPUs are put in order of time before they are used. One may be written a moment
 * after another CPU's later one, so each round takes what is older than the round before: what has
 * its time from then is in its ring by now.
 */

#include "cli/ticks/kernel_ticks.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "cli/monotonic.h"
#include "cli/ticks/kernel_clock.h"
#include "cli/ticks/kernel_follow.h"
#include "cli/ticks/ptrace_ticks.h"

#define NANOSECONDS 1000000000u
#define HURRY_FILL  0.25
#define HURRY_MS    2

/* Below this part of the rate it is said that the rate was not reached, of so many ticks. */
#define REACHED	      0.9
#define REACHED_TICKS 200

struct kernel_ticks {
	struct kernel_ticks_settings settings;
	struct kernel_clock clock;    /* without rings under ptrace */
	struct ptrace_ticks *looking; /* NULL under the kernel's clock */
	struct kernel_follow follow;
	uint64_t horizon; /* when the last round began */
};

static int start(struct kernel_ticks *ticks, pid_t pid, int poll_fd, struct error *err)
{
	if (kernel_follow_begin(&ticks->follow, pid) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	if (!ticks->settings.by_ptrace)
		return kernel_clock_open(&ticks->clock, pid, ticks->settings.rate, poll_fd, err);
	ticks->looking = ptrace_ticks_new(&ticks->follow, ticks->settings.rate);
	return ticks->looking ? 0 : error_set(err, -ENOMEM, "out of memory");
}

int kernel_ticks_new(const struct kernel_ticks_settings *settings, pid_t pid, int poll_fd,
		     struct kernel_ticks **ret_ticks, struct error *err)
{
	struct kernel_ticks *ticks = calloc(1, sizeof(*ticks));
	int r;

	if (!ticks)
		return error_set(err, -ENOMEM, "out of memory");
	ticks->settings = *settings;
	ticks->follow = (struct kernel_follow){
		.counter =
			{
				.profile = settings->profile,
				.scale = settings->scale,
				.main_only = settings->main_only,
				.threads_apart = settings->threads_apart,
			},
		.no_follow = settings->no_follow,
		.count_from = settings->count_from,
		.count_until = settings->count_until,
		.image_ended = settings->image_ended,
		.data = settings->data,
	};
	kernel_processes_init(&ticks->follow.processes, NANOSECONDS / settings->rate);
	r = start(ticks, pid, poll_fd, err);
	if (r < 0) {
		kernel_ticks_free(ticks);
		return r;
	}
	settings->profile->kernel_known = true;
	*ret_ticks = ticks;
	return 0;
}

void kernel_ticks_free(struct kernel_ticks *ticks)
{
	if (!ticks)
		return;
	ptrace_ticks_free(ticks->looking);
	kernel_clock_close(&ticks->clock);
	kernel_follow_done(&ticks->follow);
	free(ticks);
}

bool kernel_ticks_sees_privileged(const struct kernel_ticks *ticks)
{
	return ticks->clock.whole_cpu;
}

double kernel_ticks_cpu_seconds(const struct kernel_ticks *ticks)
{
	return (double)ticks->follow.stood / NANOSECONDS;
}

double kernel_ticks_unsampled_seconds(const struct kernel_ticks *ticks)
{
	return (double)ticks->follow.outside / NANOSECONDS;
}

int kernel_ticks_add_image(struct kernel_ticks *ticks, struct image *image)
{
	return kernel_follow_add_image(&ticks->follow, image);
}

bool kernel_ticks_saw_target(const struct kernel_ticks *ticks)
{
	return ticks->follow.saw_target;
}

/* The ring whose next record is the oldest, or NULL; *ret_next is when another ring's is due. */
static struct kernel_ring *find_oldest(struct kernel_ticks *ticks, uint64_t *ret_next)
{
	struct kernel_ring *oldest = NULL;
	uint64_t first = UINT64_MAX;

	*ret_next = UINT64_MAX;
	for (size_t i = 0; i < ticks->clock.count; i++) {
		const struct kernel_record *record = kernel_ring_peek(&ticks->clock.rings[i]);

		if (!record)
			continue;
		if (!oldest || record->time < first) {
			*ret_next = first;
			first = record->time;
			oldest = &ticks->clock.rings[i];
		} else if (record->time < *ret_next) {
			*ret_next = record->time;
		}
	}
	return oldest;
}

/* Handles, in order of time, what is not younger than @horizon. */
static void handle_until(struct kernel_ticks *ticks, uint64_t horizon)
{
	struct kernel_ring *ring;
	uint64_t until;

	for (size_t i = 0; i < ticks->clock.count; i++)
		kernel_ring_look(&ticks->clock.rings[i]);
	while ((ring = find_oldest(ticks, &until))) {
		const struct kernel_record *record = kernel_ring_peek(ring);

		if (record->time > horizon)
			return;
		if (until > horizon)
			until = horizon;
		while (record && record->time <= until) {
			kernel_follow_record(&ticks->follow, record);
			kernel_ring_next(ring);
			record = kernel_ring_peek(ring);
		}
	}
}

static void show_clock(struct kernel_ticks *ticks, const struct kernel_process *process)
{
	if (process->clock > process->exec_clock && process->index != KERNEL_NONE)
		ticks->settings.profile->processes[process->index].cpu_seconds =
			(double)(process->clock - process->exec_clock) / NANOSECONDS;
}

/* All samples up to the last reading of the clocks are in: compares, and reads again. */
static void settle_accounts(struct kernel_ticks *ticks)
{
	struct kernel_process *process;

	for (size_t i = 0; i < KERNEL_CHAINS; i++) {
		for (process = ticks->follow.processes.chains[i]; process;
		     process = process->next) {
			kernel_process_settle(&ticks->follow.processes, process);
			kernel_process_read_clock(&ticks->follow.processes, process);
			show_clock(ticks, process);
		}
	}
}

int kernel_ticks_work(struct kernel_ticks *ticks, int *ret_wait)
{
	uint64_t begun = monotonic_nanoseconds();

	*ret_wait = -1;
	if (ticks->looking)
		*ret_wait = ptrace_ticks_work(ticks->looking);
	handle_until(ticks, ticks->horizon);
	ticks->horizon = begun;
	kernel_follow_sweep(&ticks->follow);
	if (ticks->clock.whole_cpu || ticks->looking)
		settle_accounts(ticks);
	for (size_t i = 0; i < ticks->clock.count; i++) {
		if (kernel_ring_fill(&ticks->clock.rings[i]) > HURRY_FILL)
			*ret_wait = HURRY_MS;
	}
	return ticks->follow.failure;
}

bool kernel_ticks_stopped(struct kernel_ticks *ticks, int status)
{
	return ticks->looking && ptrace_ticks_stopped(ticks->looking, status);
}

/* Where the kernel's own time is not sampled, its account still tells how much there was. */
static int add_kernel_time(struct kernel_ticks *ticks)
{
	struct profile *profile = ticks->settings.profile;
	uint64_t weight = (uint64_t)(profile->system_seconds * ticks->settings.rate + 0.5);
	int r;

	if (ticks->follow.target_index == KERNEL_NONE || weight == 0 || ticks->follow.outside > 0)
		return 0;
	r = kernel_count_unseen(&ticks->follow.counter, ticks->follow.target_index, weight);
	return r < 0 ? r
		     : profile_add_note(profile,
					"time in the kernel may not be sampled here: it stands in "
					"the row [kernel]; run profrun as root to see whose it is");
}

static int write_ptrace_notes(const struct kernel_ticks *ticks)
{
	struct profile *profile = ticks->settings.profile;
	size_t refused = ptrace_ticks_refused(ticks->looking);
	int r = profile_add_note(profile, "threads were stopped for a moment at each tick: a "
					  "system call may have returned early "
					  "(EINTR of epoll_wait, part of a read)");

	if (r == 0 && refused > 0)
		r = profile_add_note(profile,
				     "%zu of the processes could not be looked at: another tracer "
				     "or other rights keep ptrace out",
				     refused);
	return r;
}

static int write_notes(const struct kernel_ticks *ticks)
{
	struct profile *profile = ticks->settings.profile;
	uint64_t tick = ticks->follow.processes.tick;
	double reached = 1;
	int r = 0;

	if (ticks->follow.settled_clock > 0 && ticks->clock.whole_cpu)
		reached =
			(double)ticks->follow.settled_sampled / (double)ticks->follow.settled_clock;
	if (ticks->follow.lost > 0)
		r = profile_add_note(profile,
				     "%llu of the kernel's records were lost: profrun was kept "
				     "from reading them in time; a lower --rate helps",
				     (unsigned long long)ticks->follow.lost);
	if (r == 0 && ticks->follow.throttles > 0)
		r = profile_add_note(profile,
				     "the kernel slowed its clock down %llu times, as "
				     "perf_event_max_sample_rate demands",
				     (unsigned long long)ticks->follow.throttles);
	if (r == 0 && ticks->looking)
		r = write_ptrace_notes(ticks);
	if (r == 0 && reached < REACHED && ticks->follow.settled_clock > REACHED_TICKS * tick)
		r = profile_add_note(profile, "the clock reached %.0f of the %u Hz asked for",
				     reached * ticks->settings.rate, ticks->settings.rate);
	return r;
}

void kernel_ticks_detach(struct kernel_ticks *ticks)
{
	ticks->clock.count = 0;
}

int kernel_ticks_finish(struct kernel_ticks *ticks, size_t *ret_running, double *ret_squares)
{
	int r = 0;

	handle_until(ticks, UINT64_MAX);
	*ret_running = kernel_follow_end(&ticks->follow);
	if (ticks->clock.user_only)
		r = add_kernel_time(ticks);
	if (r == 0)
		r = write_notes(ticks);
	*ret_squares = ticks->follow.counter.squares;
	return r < 0 ? r : ticks->follow.failure;
}
