/* SPDX-License-Identifier: MIT */
/*
 * What profilers by signals have hung, crashed or leaked in, all at once, for SECONDS (the first
 * argument): threads that come and go, forks, a plugin (the second) that is opened and closed,
 * allocations, exceptions, and errno watched around all of it. Every second it prints the bytes of
 * memory that are its own, so that a leak shows.
 */

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <pthread.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

static const int lanes = 3;
static std::atomic<bool> ended, wrong;
static const char *plugin;

static double now(clockid_t clock)
{
	timespec time;

	clock_gettime(clock, &time);
	return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

static void fail(const char *what)
{
	fprintf(stderr, "%s went wrong\n", what);
	wrong = true;
}

static __attribute__((noinline)) void burn(double seconds)
{
	double end = now(CLOCK_THREAD_CPUTIME_ID) + seconds;

	errno = 4711;
	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		for (volatile int i = 0; i < 1000; i = i + 1)
			;
	if (errno != 4711)
		fail("errno");
}

static __attribute__((noinline)) void allocate()
{
	void *blocks[64];

	for (int round = 0; round < 50; round++) {
		for (size_t i = 0; i < 64; i++)
			blocks[i] = malloc(16 << (i % 12));
		for (void *block : blocks)
			free(block);
	}
}

static __attribute__((noinline)) void throw_and_catch()
{
	int caught = 0;

	for (int i = 0; i < 200; i++) {
		try {
			throw std::runtime_error("thrown");
		} catch (const std::exception &) {
			caught++;
		}
	}
	if (caught != 200)
		fail("an exception");
}

static void *run_briefly(void *)
{
	burn(0.001);
	return nullptr;
}

static void make_thread()
{
	pthread_t thread;

	if (pthread_create(&thread, nullptr, run_briefly, nullptr) != 0)
		fail("a thread");
	else
		pthread_join(thread, nullptr);
}

static void make_child()
{
	pid_t child = fork();
	int status = -1;

	if (child == 0) {
		burn(0.02);
		_exit(wrong ? 1 : 0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		fail("a child");
}

static void open_plugin()
{
	void *module = dlopen(plugin, RTLD_NOW);
	void (*work)(uint64_t);

	if (!module) {
		fail("a plugin");
		return;
	}
	*reinterpret_cast<void **>(&work) = dlsym(module, "plugin");
	work(200000);
	dlclose(module);
}

static void *run_lane(void *)
{
	while (!ended) {
		make_thread();
		allocate();
		make_child();
		throw_and_catch();
		open_plugin();
		burn(0.002);
	}
	return nullptr;
}

/* Resident pages that are not files. */
static long own_bytes()
{
	long total = 0, resident = 0, shared = 0;
	FILE *file = fopen("/proc/self/statm", "re");

	if (!file)
		return 0;
	if (fscanf(file, "%ld %ld %ld", &total, &resident, &shared) != 3)
		fail("statm");
	fclose(file);
	return (resident - shared) * sysconf(_SC_PAGESIZE);
}

int main(int argc, char **argv)
{
	double end = now(CLOCK_MONOTONIC) + (argc > 1 ? atof(argv[1]) : 1);
	pthread_t threads[lanes];

	plugin = argc > 2 ? argv[2] : "libplugin.so";
	for (pthread_t &thread : threads)
		pthread_create(&thread, nullptr, run_lane, nullptr);
	while (now(CLOCK_MONOTONIC) < end) {
		sleep(1);
		printf("%ld\n", own_bytes());
		fflush(stdout);
	}
	ended = true;
	for (pthread_t &thread : threads)
		pthread_join(thread, nullptr);
	return wrong ? 1 : 0;
}
