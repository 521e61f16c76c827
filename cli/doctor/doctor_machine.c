/* SPDX-License-Identifier: MIT */
/* Checks of the machine, by trying what a run would need. */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "cli/doctor/doctor_trial.h"
#include "cli/ticks/kernel_clock.h"
#include "cli/ticks/tick_source.h"
#include "symbolize/util.h"

#define PENDING_FEW 1024 /* signals: with fewer, threads may go without a timer */

static void look_at_preload(const struct doctor_program *program, struct doctor_finding *finding)
{
	struct error err;

	(void)program;
	if (doctor_try_preload(&err) == 0) {
		doctor_find(finding, DOCTOR_FINE, "enters dynamic programs of this machine");
		return;
	}
	doctor_find(finding, DOCTOR_FAILS, "%s", err.text);
	doctor_hint(finding, "--ticks=kernel, which needs none");
}

/* The kernel's tick a second, in which CPU timers expire. */
static unsigned jiffies_per_second(void)
{
	struct timespec jiffy = {.tv_nsec = 0};

	clock_getres(CLOCK_MONOTONIC_COARSE, &jiffy);
	return jiffy.tv_nsec > 0 ? (unsigned)(1000000000 / jiffy.tv_nsec) : 0;
}

static void look_at_timers(const struct doctor_program *program, struct doctor_finding *finding)
{
	double share = doctor_try_timer();
	unsigned hz = jiffies_per_second();

	(void)program;
	if (share < 0) {
		doctor_find(finding, DOCTOR_FAILS, "a timer of CPU time is refused: %s",
			    strerror((int)-share));
		return;
	}
	if (share < 0.5) {
		doctor_find(finding, DOCTOR_FAILS, "only %.0f %% of the ticks of a timer came",
			    100 * share);
		return;
	}
	doctor_find(finding, DOCTOR_FINE,
		    "tick in each thread; the kernel's tick is %u Hz, and rates above it come "
		    "in groups",
		    hz);
}

static int read_number(const char *path)
{
	FILE *file = fopen(path, "re");
	int number = -1;

	if (!file)
		return -1;
	if (fscanf(file, "%d", &number) != 1)
		number = -1;
	fclose(file);
	return number;
}

static void look_at_kernel(const struct doctor_program *program, struct doctor_finding *finding)
{
	struct error err;

	(void)program;
	if (kernel_clock_permitted(&err) == 0) {
		doctor_find(finding, DOCTOR_FINE,
			    "perf_event_open gives the clock of every CPU: exact, at any rate, "
			    "for any program");
		return;
	}
	if (kernel_clock_permitted_in_part())
		doctor_find(finding, DOCTOR_LESS,
			    "the clock of every CPU is refused (perf_event_paranoid is %d); "
			    "--ticks=kernel sees what threads of some milliseconds do outside of "
			    "the kernel",
			    read_number("/proc/sys/kernel/perf_event_paranoid"));
	else
		doctor_find(finding, DOCTOR_LESS, "%s", err.text);
	doctor_hint(finding, "root, CAP_PERFMON, or 'sysctl kernel.perf_event_paranoid=-1'");
}

static void look_at_auto(const struct doctor_program *program, struct doctor_finding *finding)
{
	const struct tick_need need = {.preload_enters = true};
	struct error why;
	const struct tick_source *source = tick_source_choose(&need, &why);

	(void)program;
	doctor_find(finding, DOCTOR_FINE, "--ticks=auto is %s here", source->name);
}

static void look_at_ptrace(const struct doctor_program *program, struct doctor_finding *finding)
{
	int scope = read_number("/proc/sys/kernel/yama/ptrace_scope");
	int r = doctor_try_ptrace();

	(void)program;
	if (r < 0)
		doctor_find(finding, DOCTOR_LESS, "is refused: %s; --ticks=ptrace cannot be used",
			    strerror(-r));
	else
		doctor_find(finding, DOCTOR_FINE, "of children is permitted%s",
			    scope > 0 ? " (Yama restricts it to them)" : "");
}

static void look_at_proc(const struct doctor_program *program, struct doctor_finding *finding)
{
	(void)program;
	if (access("/proc/self/maps", R_OK) != 0 || access("/proc/self/task", R_OK) != 0) {
		doctor_find(finding, DOCTOR_LESS,
			    "cannot be read: plugins and code made at run time are [unknown]");
		doctor_hint(finding, "mount it: 'mount -t proc proc /proc'");
		return;
	}
	if (access("/proc/1/maps", F_OK) != 0) {
		doctor_find(finding, DOCTOR_FINE, "can be read (of one's own processes)");
		return;
	}
	doctor_find(finding, DOCTOR_FINE, "can be read");
}

static void look_at_limits(const struct doctor_program *program, struct doctor_finding *finding)
{
	struct rlimit pending = {0}, memory = {0};

	(void)program;
	getrlimit(RLIMIT_SIGPENDING, &pending);
	getrlimit(RLIMIT_AS, &memory);
	if (pending.rlim_cur != RLIM_INFINITY && pending.rlim_cur < PENDING_FEW) {
		doctor_find(finding, DOCTOR_LESS,
			    "%" PRIu64 " pending signals: each thread's timer needs one",
			    (uint64_t)pending.rlim_cur);
		doctor_hint(finding, "'ulimit -i unlimited', or --ticks=kernel");
		return;
	}
	if (memory.rlim_cur != RLIM_INFINITY) {
		doctor_find(finding, DOCTOR_LESS,
			    "%" PRIu64 " MiB of address space: histograms need twice the text",
			    (uint64_t)memory.rlim_cur >> 20);
		doctor_hint(finding, "'ulimit -v unlimited', or a coarser --scale");
		return;
	}
	doctor_find(finding, DOCTOR_FINE, "pending signals and address space are not in the way");
}

static void look_at_debug(const struct doctor_program *program, struct doctor_finding *finding)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	void *library = dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_LOCAL);

	(void)program;
	if (library)
		dlclose(library);
	if (library && urls && *urls)
		doctor_find(finding, DOCTOR_FINE, "--debuginfod fetches debug files");
	else if (library)
		doctor_find(finding, DOCTOR_FINE,
			    "--debuginfod can fetch debug files once DEBUGINFOD_URLS is set");
	else
		doctor_find(finding, DOCTOR_FINE,
			    "local debug files only: libdebuginfod is not installed");
}

static const struct doctor_check checks[] = {
	{"preload", look_at_preload},	  {"CPU timers", look_at_timers},
	{"kernel clock", look_at_kernel}, {"ticks", look_at_auto},
	{"ptrace", look_at_ptrace},	  {"/proc", look_at_proc},
	{"limits", look_at_limits},	  {"debug files", look_at_debug},
};

const struct doctor_check *doctor_machine_at(size_t index)
{
	return index < ARRAY_SIZE(checks) ? &checks[index] : NULL;
}
