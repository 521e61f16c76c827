/* SPDX-License-Identifier: MIT */
/*
 * Two functions that take turns after each N milliseconds of CPU time, N given as the argument: a
 * clock that ticks in step with them would see one more often than the other, or not at all.
 */

#include "tests/targets/truth.h"

#include <stdlib.h>

TRUTH_BURN(ping, 3)
TRUTH_BURN(pong, 5)

static void burn_until(struct truth_part *part, double end)
{
	double start = truth_clock(), now = start;
	uint64_t turns = (uint64_t)(truth_turns_per_ms() / 20);

	while (now < end) {
		part->burn(turns);
		now = truth_clock();
	}
	part->seconds += now - start;
}

int main(int argc, char **argv)
{
	struct truth_part parts[] = {
		{.name = "ping", .burn = ping},
		{.name = "pong", .burn = pong},
	};
	double period = argc > 1 ? atof(argv[1]) * 1e-3 : 5e-3;
	double end = truth_clock();
	struct truth truth;

	truth_init(&truth, parts, 2, 0);
	for (long i = 0; i * period < 4; i++) {
		end += period;
		burn_until(&parts[i % 2], end);
	}
	truth_end_thread(&truth);
	truth_write(&truth, 1);
	return 0;
}
