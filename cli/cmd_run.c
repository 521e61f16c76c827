/* SPDX-License-Identifier: MIT */
/* `profrun PROGRAM`: runs it, collects what it counts, reports where its time went. */

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/cmd_publish.h"
#include "cli/collect/collect.h"
#include "cli/command.h"
#include "cli/cpu_time.h"
#include "cli/launch/environment.h"
#include "cli/launch/install_paths.h"
#include "cli/launch/launch.h"
#include "cli/launch/preflight.h"
#include "cli/message.h"
#include "cli/monotonic.h"
#include "cli/profile/profile.h"
#include "cli/profile/profile_merge.h"
#include "cli/run.h"
#include "cli/run_watch.h"
#include "cli/ticks/tick_source.h"
#include "symbolize/util.h"

/* What helps where a limit is in the way; "": nothing is known. */
static const char *way_out(int code)
{
	static const struct {
		int code;
		const char *hint;
	} ways[] = {
		{-EMFILE, "raise the limit of open files ('ulimit -n')"},
		{-EAGAIN, "raise the limit of processes ('ulimit -u')"},
		{-ENOMEM, "raise the limit of address space ('ulimit -v')"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		if (ways[i].code == code)
			return ways[i].hint;
	}
	return "";
}

/* Says it now, and keeps it for the report. */
static void say_not_profiled(struct run *run, const char *reason, const char *hint)
{
	char text[640];

	snprintf(text, sizeof(text), "not profiled: %s%s%s", reason, hint[0] ? "; " : "", hint);
	/* Once is enough for --repeat. */
	if (!run->total)
		message_print("%s", text);
	run->profile->no_ticks = string_pool_add(run->profile->strings, text);
	run->profile->no_ticks_said = true;
}

static bool is_followed(const struct run *run)
{
	return run->options->follow && !run->ticks->no_follow;
}

static void fill_settings(const struct run *run, struct arena_settings *settings)
{
	const struct options *options = run->options;
	static const enum arena_ticks ticks[] = {
		[TICK_TIMER] = ARENA_TICKS_TIMER,   [TICK_LIBC] = ARENA_TICKS_LIBC,
		[TICK_SIGNAL] = ARENA_TICKS_SIGNAL, [TICK_KERNEL] = ARENA_TICKS_KERNEL,
		[TICK_PTRACE] = ARENA_TICKS_KERNEL,
	};

	*settings = (struct arena_settings){
		.ticks = ticks[run->ticks->kind],
		.by_ptrace = run->ticks->kind == TICK_PTRACE,
		.rate = options->rate_hz,
		.scale = options->scale,
		.signal = (uint32_t)options->signal,
		.verbose = options->verbose,
		.delay = options->delay,
		.duration = options->duration,
		.preload = getenv("LD_PRELOAD"),
	};
	if (options->main_only || run->ticks->main_only)
		settings->flags |= ARENA_MAIN_ONLY;
	if (options->threads)
		settings->flags |= ARENA_THREADS_APART;
	if (!is_followed(run))
		settings->flags |= ARENA_NO_FOLLOW;
}

/* Everything that a profile needs. On failure the target runs without one, and this says why. */
static int prepare(struct run *run, struct error *err)
{
	/* Without following, only the preload could give the program its environment back. */
	bool keep_out = run->preflight.verdict != PREFLIGHT_OK &&
			(run->preflight.keep_out || !is_followed(run));
	struct arena_settings settings;
	int r;

	fill_settings(run, &settings);
	r = install_find_preload(&run->preload, err);
	if (r == 0)
		r = collect_new(&settings, run->profile, &run->collect, err);
	if (r < 0)
		return r;
	r = environment_build(environ, keep_out ? NULL : run->preload,
			      keep_out ? NULL : collect_control(run->collect), &run->environment);
	return r < 0 ? error_set(err, r, "out of memory") : 0;
}

void run_fill_profile(struct run *run, const struct launch_result *result)
{
	const struct options *options = run->options;
	struct profile *profile = run->profile;
	char host[HOST_NAME_MAX + 1] = "";
	struct timespec now;

	if (gethostname(host, sizeof(host) - 1) == 0)
		profile->host = string_pool_add(profile->strings, host);
	clock_gettime(CLOCK_REALTIME, &now);
	profile->start_nanos =
		now.tv_sec * 1000000000LL + now.tv_nsec - (int64_t)(result->elapsed_seconds * 1e9);
	profile->wait_status = result->wait_status;
	profile->elapsed_seconds = result->elapsed_seconds;
	profile->user_seconds = cpu_time_seconds(result->usage.ru_utime);
	profile->system_seconds = cpu_time_seconds(result->usage.ru_stime);
	profile->tick_source = run->ticks->name;
	profile->rate_hz = options->rate_hz;
	profile->period_seconds = 1.0 / options->rate_hz;
	profile->scale = options->scale;
	profile->threads_apart = options->threads;
}

/* Where the kernel does not tick, the target does, if the preload can enter it. */
static void started(void *data, pid_t pid)
{
	struct run *run = data;
	bool entered = run->preflight.verdict == PREFLIGHT_OK;
	struct error err;

	run->target = pid;
	run->started = monotonic_seconds();
	if (collect_started(run->collect, pid, &err) < 0) {
		run->ticks = tick_source_find("timer");
		if (entered)
			profile_add_note(run->profile, "%s; the ticks are those of --ticks=%s",
					 err.text, run->ticks->name);
		else
			say_not_profiled(run, run->preflight.reason,
					 run->preflight.privileged ? err.text
								   : "use --ticks=ptrace");
	} else if (!entered && run->preflight.privileged &&
		   !collect_sees_privileged(run->collect)) {
		say_not_profiled(run, run->preflight.reason, run->preflight.hint);
	}
}

static int work(void *data)
{
	struct run *run = data;

	run_watch_serve(run);
	return collect_work(run->collect);
}

static bool stopped(void *data, int status)
{
	struct run *run = data;
	bool is_own = collect_stopped(run->collect, status);

	/* profrun stops as well, and who waits for that has the terminal then. */
	if (!is_own)
		run_watch_hide(run);
	return is_own;
}

static int launch(struct run *run, struct launch_result *ret_result)
{
	struct launch_target target = {
		.path = run->preflight.path,
		.argv = run->options->argv,
		.environment = run->collect ? run->environment : environ,
	};
	struct launch_hooks hooks = {.work_fd = -1};
	struct error err;
	int r;

	if (run->collect)
		hooks = (struct launch_hooks){
			.data = run,
			.started = started,
			.stopped = stopped,
			.work = work,
			.work_fd = collect_work_fd(run->collect),
		};
	run_watch_start(run);
	r = launch_run(&target, &hooks, ret_result, &err);
	run_watch_stop(run);
	if (!run->total && (r == -EMFILE || r == -ENFILE || r == -ENOMEM || r == -EAGAIN)) {
		/* profrun lacks something that the program alone may not need. */
		if (!run->profile->no_ticks_said)
			say_not_profiled(run, err.text, way_out(r));
		execv(target.path, target.argv);
		r = -errno;
	}
	if (r < 0)
		message_print("%s", err.text);
	return r;
}

/* Drops what belongs to one run. */
static void end_run(struct run *run)
{
	collect_free(run->collect);
	profile_free(run->profile);
	environment_free(run->environment);
	free(run->preload);
	run->collect = NULL;
	run->profile = NULL;
	run->environment = NULL;
	run->preload = NULL;
}

static void run_done(struct run *run)
{
	end_run(run);
	profile_free(run->total);
	cmd_outputs_done(&run->outputs);
	preflight_done(&run->preflight);
	install_cleanup();
}

/* Once for all runs. */
static void choose_ticks(struct run *run)
{
	const struct tick_need need = {
		.own_signal = run->options->signal != 0,
		.preload_enters = run->preflight.verdict == PREFLIGHT_OK,
		.privileged = run->preflight.privileged,
	};

	run->chosen = run->options->ticks;
	if (run->chosen->kind == TICK_AUTO)
		run->chosen = tick_source_choose(&need, &run->why);
}

static int make_profile(struct run *run)
{
	struct error err;
	bool unserved;

	run->profile = profile_new();
	if (!run->profile || profile_set_command(run->profile, run->options->argv) < 0) {
		message_print("not enough memory to profile");
		return -ENOMEM;
	}
	run->ticks = run->chosen;
	if (run->options->verbose && run->why.text[0])
		profile_add_detail(run->profile, "--ticks=auto is %s here: %s", run->chosen->name,
				   run->why.text);
	unserved = run->preflight.verdict == PREFLIGHT_NOT_PROFILED && !run->ticks->any_program;
	if (unserved)
		say_not_profiled(run, run->preflight.reason, run->preflight.hint);
	/* What it starts may well be profiled. */
	if (unserved && (run->preflight.keep_out || !is_followed(run)))
		return 0;
	if (prepare(run, &err) < 0 && !unserved)
		say_not_profiled(run, err.text, way_out(err.code));
	return 0;
}

/* Adds the profile of run number @number, which ended, to the total. */
static void add_run(struct run *run, uint32_t number)
{
	struct error err;
	char name[16];

	snprintf(name, sizeof(name), "%u", number);
	if (run->options->repeat > 1)
		profile_name_run(run->profile, name);
	if (!run->total)
		run->total = steal_ptr(run->profile);
	else if (profile_merge(run->total, run->profile, &err) < 0)
		message_print("the profile is not complete: %s", err.text);
}

static int run_once(struct run *run, uint32_t number, struct launch_result *ret_result)
{
	int r = make_profile(run);

	if (r == 0)
		r = launch(run, ret_result);
	if (r == 0) {
		run_fill_profile(run, ret_result);
		if (run->collect && collect_finish(run->collect) < 0)
			message_print("the profile is not complete: out of memory");
		add_run(run, number);
	}
	end_run(run);
	return r;
}

/* Says of how many runs the total is; @failed: the one after them could not be started. */
static void note_runs(struct run *run, uint32_t runs, bool failed)
{
	if (failed)
		profile_add_note(run->total,
				 "the sum of %u of %u runs: the next could not be started", runs,
				 run->options->repeat);
	else if (runs > 1)
		profile_add_note(run->total, "the sum of %u runs", runs);
}

/* All of --repeat, up to a run that a signal ends: that may be the user's Ctrl-C. */
static int run_all(struct run *run, struct launch_result *ret_result)
{
	uint32_t runs = 0;
	int r;

	do {
		r = run_once(run, runs + 1, ret_result);
		runs += r == 0;
	} while (r == 0 && runs < run->options->repeat && !WIFSIGNALED(ret_result->wait_status));
	if (runs == 0)
		return r;
	run->total->wait_status = ret_result->wait_status;
	note_runs(run, runs, r < 0);
	return r;
}

/* Returns only when the target could not be run: else profrun ends as the target did. */
static int run_and_report(struct run *run)
{
	struct launch_result result;
	int r = run_all(run, &result);

	/* What was run before one that failed is not lost. */
	if (run->total) {
		run->outputs.keep_last = run->options->keep_last;
		cmd_publish(run->total, run->options, &run->outputs);
	}
	if (r == -ENOMEM)
		return EXIT_PROFRUN;
	if (r < 0)
		return r == -ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXEC;
	run_done(run);
	launch_exit_like(result.wait_status);
}

int cmd_run(const struct options *options)
{
	struct run run = {.options = options};
	int status = EXIT_PROFRUN;

	preflight_examine(options->argv[0], &run.preflight);
	if (run.preflight.verdict == PREFLIGHT_NOT_FOUND ||
	    run.preflight.verdict == PREFLIGHT_NOT_RUNNABLE) {
		message_print("%s%s%s", run.preflight.reason, run.preflight.hint[0] ? "; " : "",
			      run.preflight.hint);
		status = run.preflight.verdict == PREFLIGHT_NOT_FOUND ? EXIT_NOT_FOUND
								      : EXIT_CANNOT_EXEC;
	} else if (cmd_outputs_open(options, STDERR_FILENO, &run.outputs) == 0) {
		choose_ticks(&run);
		status = run_and_report(&run);
	}
	run_done(&run);
	return status;
}
