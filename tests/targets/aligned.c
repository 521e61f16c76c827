/* SPDX-License-Identifier: MIT */
/*
 * Bursts of 2 ms, half of each in one function, that start 0.3 ms after every fourth millisecond: a
 * clock that expires in the scheduler's tick of 250 Hz sees next to nothing of them.
 */

#include "tests/targets/truth.h"

#include <time.h>

#define PERIOD 4000000
#define OFFSET 300000
#define ROUNDS 1000

TRUTH_BURN(first_half, 3)
TRUTH_BURN(second_half, 5)

static void burn(struct truth_part *part, double turns_per_ms)
{
	double start = truth_clock();

	part->burn((uint64_t)turns_per_ms);
	part->seconds += truth_clock() - start;
}

static void sleep_until(int64_t time)
{
	struct timespec until = {.tv_sec = time / 1000000000, .tv_nsec = time % 1000000000};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

int main(void)
{
	struct truth_part parts[] = {
		{.name = "first_half", .burn = first_half},
		{.name = "second_half", .burn = second_half},
	};
	double turns_per_ms = truth_turns_per_ms();
	struct timespec now;
	struct truth truth;
	int64_t start;

	truth_init(&truth, parts, 2, 0);
	clock_gettime(CLOCK_MONOTONIC, &now);
	start = (now.tv_sec * 1000000000 + now.tv_nsec) / PERIOD * PERIOD + OFFSET;
	for (int64_t i = 1; i <= ROUNDS; i++) {
		sleep_until(start + i * PERIOD);
		burn(&parts[0], turns_per_ms);
		burn(&parts[1], turns_per_ms);
	}
	truth_end_thread(&truth);
	truth_write(&truth, 1);
	return 0;
}
