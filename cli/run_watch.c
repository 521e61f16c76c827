/* SPDX-License-Identifier: MIT */
/* Answers to those who look at a run while it is on, made by forks, so that the run goes on. */

#include "cli/run_watch.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/collect/interim.h"
#include "cli/collect/process_times.h"
#include "cli/live/snapshot.h"
#include "cli/message.h"
#include "cli/monotonic.h"
#include "cli/profile/pprof_write.h"
#include "cli/report/places.h"

/* In a fork: takes what has been counted so far, and leaves it. */
static int take_interim(struct run *run)
{
	struct launch_result so_far = {.elapsed_seconds = monotonic_seconds() - run->started};
	int r;

	run_fill_profile(run, &so_far);
	process_times_add(run->target, &run->profile->user_seconds, &run->profile->system_seconds);
	run->profile->still_runs = true;
	collect_detach(run->collect);
	r = collect_finish(run->collect);
	return r < 0 ? r
		     : profile_add_note(run->profile,
					"the program still runs: this is what it has used so far");
}

static void write_interim(struct run *run, int fd)
{
	FILE *stream = fdopen(fd, "w");
	struct error err;

	if (stream && places_find(run->profile, cmd_name_flags(run->options), false, &err) == 0 &&
	    pprof_write(run->profile, stream) == 0)
		fflush(stream);
}

/*
 * Answers someone who asked. What profrun itself counts in the arena must wait until the child has
 * taken what is there, a moment; naming and writing may last, and are left to a grandchild.
 */
static void serve_interim(struct run *run)
{
	int fd = interim_accept(run->interim);
	pid_t child = fd < 0 ? -1 : fork();

	if (child == 0) {
		if (take_interim(run) == 0 && fork() == 0)
			write_interim(run, fd);
		_exit(0);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
	if (fd >= 0)
		close(fd);
}

static int take_snapshot(void *data, int fd)
{
	struct run *run = data;
	int r = take_interim(run);

	return r < 0 ? r : snapshot_write(run->profile, fd);
}

static void stop_live(struct run *run)
{
	live_stop(run->live);
	run->live = NULL;
}

static void serve_live(struct run *run)
{
	enum live_need need = run->live ? live_look(run->live) : LIVE_CONTENT;

	if (need == LIVE_ASKS)
		live_answer(run->live, take_snapshot, run);
	if (need != LIVE_OVER && need != LIVE_DEAD)
		return;
	stop_live(run);
	if (need == LIVE_DEAD)
		message_print("--live: the view has broken down; the program goes on");
}

static void start_live(struct run *run)
{
	struct error err;

	if (!run->options->live)
		return;
	if (live_start(run->options, collect_work_fd(run->collect), &run->live, &err) < 0 &&
	    !run->total)
		message_print("--live: %s; the program runs without a view", err.text);
}

void run_watch_start(struct run *run)
{
	run->interim = -1;
	if (!run->collect)
		return;
	start_live(run);
	run->interim = interim_listen(collect_work_fd(run->collect));
}

void run_watch_serve(struct run *run)
{
	serve_interim(run);
	serve_live(run);
}

void run_watch_hide(struct run *run)
{
	if (run->live)
		live_hide(run->live);
}

void run_watch_stop(struct run *run)
{
	stop_live(run);
	if (run->interim >= 0)
		close(run->interim);
}
