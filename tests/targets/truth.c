/* SPDX-License-Identifier: MIT */
/* How targets measure themselves. */

#include "tests/targets/truth.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

TRUTH_BURN(truth_calibrate, 77)

static double clock_seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double truth_clock(void)
{
	return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

static uint64_t next_random(struct truth *truth)
{
	truth->random ^= truth->random << 13;
	truth->random ^= truth->random >> 7;
	truth->random ^= truth->random << 17;
	return truth->random;
}

void truth_init(struct truth *truth, struct truth_part *parts, size_t count, uint64_t salt)
{
	const char *seed = getenv("SEED");
	uint64_t start = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);

	*truth = (struct truth){.parts = parts, .count = count};
	truth->random = (start + 1) * 0x9e3779b97f4a7c15U ^ (salt + 1) * 0xbf58476d1ce4e5b9U;
	for (int i = 0; i < 8; i++)
		next_random(truth);
}

double truth_turns_per_ms(void)
{
	static double turns_per_ms;
	double best = 1, start;

	if (turns_per_ms <= 0 && getenv("TURNS_PER_MS"))
		turns_per_ms = atof(getenv("TURNS_PER_MS"));
	if (turns_per_ms > 0)
		return turns_per_ms;
	for (int i = 0; i < 5; i++) {
		start = truth_clock();
		truth_calibrate(100000);
		best = fmin(best, truth_clock() - start);
	}
	turns_per_ms = 100000 / (best * 1e3);
	return turns_per_ms;
}

double truth_jitter(struct truth *truth, double mean)
{
	double uniform = ((double)(next_random(truth) >> 11) + 1) / 9007199254740993.0;

	return mean * fmin(-log(uniform), 4);
}

void truth_round(struct truth *truth, double ms)
{
	double turns, start;

	for (size_t i = 0; i < truth->count; i++) {
		turns = truth_jitter(truth, truth->parts[i].share * ms * truth_turns_per_ms());
		start = truth_clock();
		truth->parts[i].burn((uint64_t)turns);
		truth->parts[i].seconds += truth_clock() - start;
	}
}

void truth_rounds(struct truth *truth, double seconds, double ms)
{
	const char *work = getenv("WORK");

	if (work)
		seconds *= atof(work);
	for (double done = 0; done < seconds; done += ms / 1e3)
		truth_round(truth, ms);
}

void truth_end_thread(struct truth *truth)
{
	unsigned long long delay = 0;
	FILE *file = fopen("/proc/thread-self/schedstat", "re");

	if (!file)
		return;
	if (fscanf(file, "%*u %llu", &delay) == 1)
		truth->delay += (double)delay * 1e-9;
	fclose(file);
}

void truth_write(const struct truth *accounts, size_t count)
{
	const char *path = getenv("TRUTH");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
	double delay = 0;

	if (fd < 0)
		return;
	for (size_t i = 0; i < count; i++) {
		delay += accounts[i].delay;
		for (size_t j = 0; j < accounts[i].count; j++)
			dprintf(fd, "%d %s %.9f\n", (int)getpid(), accounts[i].parts[j].name,
				accounts[i].parts[j].seconds);
	}
	dprintf(fd, "%d delay %.9f\n", (int)getpid(), delay);
	dprintf(fd, "%d cpu %.9f\n", (int)getpid(), clock_seconds(CLOCK_PROCESS_CPUTIME_ID));
	close(fd);
}
