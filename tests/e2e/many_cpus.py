# SPDX-License-Identifier: MIT
"""On 256 CPUs, which a library in profrun makes up, programs and threads still start fast; where so
many events cannot be had, timers tick and a line says so.

Argument: the C compiler. What is compared is CPU time, which a busy machine does not change much.
"""

import os
import resource
import subprocess
import sys

import harness

# The events of CPUs that are not there are real ones, in which nothing is recorded.
CPUS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>
int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	(void)pid;
	for (int i = 0; i < 256; i++)
		CPU_SET_S(i, size, set);
	return 0;
}
long syscall(long number, ...)
{
	long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	struct perf_event_attr event;
	long a[5];
	va_list list;
	va_start(list, number);
	for (int i = 0; i < 5; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number != SYS_perf_event_open || (int)a[2] < ONLINE)
		return real(number, a[0], a[1], a[2], a[3], a[4]);
	event = *(struct perf_event_attr *)a[0];
	event.config = PERF_COUNT_SW_DUMMY;
	event.sample_period = 0;
	event.mmap = event.mmap2 = event.comm = event.comm_exec = event.task = 0;
	return real(number, &event, a[1], a[2] % ONLINE, a[3], a[4]);
}
"""
THREADS = """
#include <pthread.h>
static void *nothing(void *argument) { return argument; }
int main(void)
{
	for (int i = 0; i < 2000; i++) {
		pthread_t thread;
		if (pthread_create(&thread, 0, nothing, 0) || pthread_join(thread, 0))
			return 1;
	}
	return 0;
}
"""
ROUNDS = 3
LAUNCH = 0.15  # seconds of CPU time that opening and closing 256 events may take
MOST = 3       # times the CPU time of a bare run for threads


def build(folder, name, code, *options):
    path = os.path.join(folder, name)
    with open(path + ".c", "w", encoding="ascii") as file:
        file.write(code)
    subprocess.run([*sys.argv[1:], "-O2", *options, "-o", path, path + ".c"], check=True)
    return path


def cost(command, environment=None):
    """(the least CPU time of a few runs, what the last wrote to stderr)."""
    best = float("inf")
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = harness.Run(command, environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert run.status == 0, run.errors.decode()
        best = min(best, sum(after[:2]) - sum(before[:2]))
    return best, run.errors


def main():
    if not harness.kernel_clock() or os.geteuid() != 0:
        harness.skip("needs the kernel's clock of all CPUs")
    profrun = [harness.PROFRUN, "-q", "-o", os.devnull, "--ticks=kernel"]
    noisy = [harness.PROFRUN, "--no-save", "--ticks=kernel"]
    with harness.scratch() as folder:
        many = {"LD_PRELOAD": build(folder, "cpus.so", CPUS, "-shared", "-fPIC", "-ldl",
                                    f"-DONLINE={os.cpu_count()}"),
                "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") +
                ":verify_asan_link_order=0:detect_leaks=0"}
        threads = build(folder, "threads", THREADS, "-lpthread")
        few, _ = cost([*profrun, "true"])
        launch, _ = cost([*profrun, "true"], many)
        print(f"true: {1e3 * few:.1f} ms of CPU time, on 256 CPUs {1e3 * launch:.1f} ms")
        assert launch - few < LAUNCH, "launching takes too long"
        bare, _ = cost([threads])
        started, _ = cost([*profrun, threads], many)
        print(f"threads: {1e3 * bare:.1f} ms, on 256 CPUs {1e3 * started:.1f} ms")
        assert started < MOST * bare + LAUNCH, "threads start too slowly"
        _, errors = cost(["prlimit", "--nofile=64", *noisy, threads], many)
        assert b"Too many open files" in errors and b"--ticks=timer" in errors, errors.decode()
        if harness.has("setpriv"):
            started, errors = cost(["setpriv", "--bounding-set=-all", *noisy, threads], many)
            print(f"threads without rights: {1e3 * started:.1f} ms")
            assert started < 2 * MOST * bare + LAUNCH, "threads start too slowly without rights"
            assert b"so many CPUs" in errors or b"refuses its clock" in errors, errors.decode()


main()
