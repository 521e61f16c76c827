/* SPDX-License-Identifier: MIT */
/* Time mostly in shared libraries: two of its own, and the C library's qsort and memcpy. */

#include "tests/targets/library.h"
#include "tests/targets/truth.h"

#include <stdlib.h>
#include <string.h>

TRUTH_BURN(in_program, 3)

static char from[1 << 20], to[1 << 20];

/* A turn is about a nanosecond; copying this megabyte takes about 60 us. */
static void copy(uint64_t turns)
{
	for (uint64_t i = 0; i < turns / 60000; i++) {
		memcpy(to, from, sizeof(to));
		__asm__ volatile("" : : "r"(to) : "memory");
	}
}

int main(void)
{
	struct truth_part parts[] = {
		{.name = "in_program", .burn = in_program, .share = 0.1},
		{.name = "alpha", .burn = alpha, .share = 0.4},
		{.name = "beta", .burn = beta, .share = 0.2},
		{.name = "libc.so.6", .burn = copy, .share = 0.3},
	};
	struct truth truth;

	memset(from, 1, sizeof(from));
	memset(to, 2, sizeof(to));
	truth_init(&truth, parts, 4, 0);
	truth_rounds(&truth, 4, 20);
	truth_end_thread(&truth);
	truth_write(&truth, 1);
	return 0;
}
