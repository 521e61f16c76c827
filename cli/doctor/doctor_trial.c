/* SPDX-License-Identifier: MIT */
/* A child each for what changes a process; the timer is this thread's own. */

#include "cli/doctor/doctor_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/collect/collect.h"
#include "cli/launch/environment.h"
#include "cli/launch/install_paths.h"
#include "symbolize/util.h"

#define TRIAL_MS 60 /* of CPU time */
#define TICK_MS	 5

/* What the trial of the preload holds. */
struct trial {
	char *preload;
	char **environment;
	struct profile *profile;
	struct collect *collect;
};

static int prepare(struct trial *trial, struct error *err)
{
	const struct arena_settings settings = {
		.ticks = ARENA_TICKS_TIMER, .rate = 100, .scale = 0x10000};
	int r = install_find_preload(&trial->preload, err);

	trial->profile = profile_new();
	if (r == 0 && !trial->profile)
		r = error_set(err, -ENOMEM, "out of memory");
	if (r == 0)
		r = collect_new(&settings, trial->profile, &trial->collect, err);
	if (r < 0)
		return r;
	r = environment_build(environ, trial->preload, collect_control(trial->collect),
			      &trial->environment);
	return r < 0 ? error_set(err, r, "out of memory") : 0;
}

static int run(struct trial *trial, struct error *err)
{
	static char name[] = "true";
	char *arguments[] = {name, NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int r;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	r = posix_spawnp(&pid, name, &actions, NULL, arguments, trial->environment);
	posix_spawn_file_actions_destroy(&actions);
	if (r != 0)
		return error_set(err, -r, "cannot start a program: ");
	r = collect_started(trial->collect, pid, err);
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		const struct timespec nap = {.tv_nsec = 1000000};

		collect_work(trial->collect);
		nanosleep(&nap, NULL);
	}
	return r;
}

int doctor_try_preload(struct error *err)
{
	struct trial trial = {.preload = NULL};
	int r = prepare(&trial, err);

	if (r == 0)
		r = run(&trial, err);
	if (r == 0)
		r = collect_finish(trial.collect) < 0 ? error_set(err, -ENOMEM, "out of memory")
						      : 0;
	if (r == 0 && trial.profile->process_count == 0)
		r = error_set(err, -EPERM, "LD_PRELOAD did not enter the program 'true'");
	collect_free(trial.collect);
	profile_free(trial.profile);
	environment_free(trial.environment);
	free(trial.preload);
	return r;
}

static volatile sig_atomic_t ticks;

static void count(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	ticks += 1 + info->si_overrun;
}

static double thread_ms(void)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

double doctor_try_timer(void)
{
	const struct itimerspec times = {{0, TICK_MS * 1000000}, {0, TICK_MS * 1000000}};
	struct sigaction action = {.sa_sigaction = count, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMAX - 2};
	double end = thread_ms() + TRIAL_MS;
	struct sigaction before;
	sigset_t set, old;
	timer_t timer;

	event._sigev_un._tid = gettid();
	if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) < 0)
		return -errno;
	sigemptyset(&set);
	sigaddset(&set, SIGRTMAX - 2);
	sigaction(SIGRTMAX - 2, &action, &before);
	sigprocmask(SIG_UNBLOCK, &set, &old);
	timer_settime(timer, 0, &times, NULL);
	while (thread_ms() < end)
		;
	timer_delete(timer);
	sigprocmask(SIG_SETMASK, &old, NULL);
	sigaction(SIGRTMAX - 2, &before, NULL);
	return (double)ticks * TICK_MS / TRIAL_MS;
}

int doctor_try_ptrace(void)
{
	int status = 0, r = 0;
	pid_t child = fork();

	if (child < 0)
		return -errno;
	if (child == 0) {
		pause();
		_exit(0);
	}
	if (ptrace(PTRACE_SEIZE, child, NULL, NULL) < 0)
		r = -errno;
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return r;
}
