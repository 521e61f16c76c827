/* SPDX-License-Identifier: MIT */
/*
 * What a single hit is behind the CPU time depends on where in its work the program is, so that is
 * made up for little by little.
 */

#include "cli/ticks/signal_scale.h"

#define PRIOR	 8.0 /* hits that stand for what they are, before any came */
#define SLOWNESS 8.0 /* hits */

uint64_t signal_scale(struct signal_scale *scale, uint64_t hits, double expected, uint32_t random)
{
	double factor, ticks;
	uint64_t whole;

	scale->hits += (double)hits;
	factor = (expected + PRIOR) / (scale->hits + PRIOR);
	ticks = (double)hits * factor;
	ticks += (expected - (double)scale->counted - ticks) / SLOWNESS;
	whole = ticks > 0 ? (uint64_t)(ticks + (double)random * 0x1p-32) : 0;
	scale->counted += whole;
	return whole;
}
