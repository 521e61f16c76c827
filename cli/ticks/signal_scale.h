/* SPDX-License-Identifier: MIT */
/*
 * From hits to ticks. On a busy machine profrun is late: a thread that lost its CPU meanwhile is
 * missed. Which of its places are hit is chance all the same, so a hit stands for more than one
 * tick: for as much of the process's CPU time, which the kernel knows, as hits so far have on
 * average.
 */
#pragma once

#include <stdint.h>

struct signal_scale {
	double hits;	  /* so far, by what they stand for themselves */
	uint64_t counted; /* ticks */
};

/*
 * The ticks that @hits more stand for, in a process whose CPU time is @expected ticks so far.
 * @random, of 2^32, decides on parts of a tick.
 */
uint64_t signal_scale(struct signal_scale *scale, uint64_t hits, double expected, uint32_t random);
