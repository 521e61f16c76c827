/* SPDX-License-Identifier: MIT */
/*
 * Children that are all alive at once, each with children of its own one after the other. Each
 * process uses CPU time and tells its number and its parent's, one line for each.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHILDREN      20
#define GRANDCHILDREN 3
#define BURN	      40 /* milliseconds */

static int64_t cpu_milliseconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void burn(void)
{
	int64_t end = cpu_milliseconds() + BURN;

	while (cpu_milliseconds() < end)
		for (volatile int i = 0; i < 1000; i = i + 1)
			;
}

static void tell(void)
{
	char line[64];
	int length = snprintf(line, sizeof(line), "%d %d\n", (int)getpid(), (int)getppid());

	if (write(STDOUT_FILENO, line, (size_t)length) != length)
		_exit(1);
}

static bool wait_for_all(void)
{
	bool right = true;
	int status;

	while (wait(&status) > 0)
		right = right && status == 0;
	return right;
}

static int live_as_child(int gate)
{
	bool right = true;
	char nothing;

	if (read(gate, &nothing, 1) != 0) /* closed when all are there */
		return 1;
	burn();
	tell();
	for (int i = 0; i < GRANDCHILDREN; i++) {
		if (fork() == 0) {
			burn();
			tell();
			_exit(0);
		}
		right = wait_for_all() && right;
	}
	return !right;
}

int main(void)
{
	int gate[2];

	if (pipe(gate) < 0)
		return 1;
	burn();
	tell();
	for (int i = 0; i < CHILDREN; i++) {
		if (fork() == 0) {
			close(gate[1]);
			_exit(live_as_child(gate[0]));
		}
	}
	close(gate[0]);
	close(gate[1]);
	return !wait_for_all();
}
