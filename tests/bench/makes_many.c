/* SPDX-License-Identifier: MIT */
/*
 * Makes as many threads or processes as it is told, one after the other, each of which ends at
 * once: what a launcher adds to the making is all that can be seen. Writes the elapsed and the CPU
 * seconds that this took, the children's included, into a file.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *nothing(void *unused)
{
	return unused;
}

static void make_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, nothing, NULL) != 0)
		exit(1);
	pthread_join(thread, NULL);
}

static void make_process(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	if (pid < 0)
		exit(1);
	waitpid(pid, NULL, 0);
}

static const struct {
	const char *name;
	void (*make)(void);
} kinds[] = {
	{.name = "threads", .make = make_thread},
	{.name = "processes", .make = make_process},
};

static double elapsed(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double used(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static int write_costs(const char *path, double time, double cpu)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return 1;
	fprintf(file, "%.6f %.6f\n", time, cpu);
	return fclose(file) == 0 ? 0 : 1;
}

static int measure(void (*make)(void), int count, const char *path)
{
	double start = elapsed(), cpu = used(RUSAGE_SELF) + used(RUSAGE_CHILDREN);

	for (int i = 0; i < count; i++)
		make();
	return write_costs(path, elapsed() - start,
			   used(RUSAGE_SELF) + used(RUSAGE_CHILDREN) - cpu);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 4 && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(argv[1], kinds[i].name) == 0)
			return measure(kinds[i].make, atoi(argv[2]), argv[3]);
	fprintf(stderr, "usage: makes_many threads|processes COUNT FILE\n");
	return 2;
}
