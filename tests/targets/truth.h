/* SPDX-License-Identifier: MIT */
/*
 * Targets that know their own truth: each part of their work is one function, called with lengths
 * that no timer can fall into step with, and timed from outside by the thread's CPU clock.
 *
 * truth_write() appends to the file that the environment variable TRUTH names (nothing without it)
 * lines of "PID NAME SECONDS": one for each part, "cpu" for the whole process, "delay" for the time
 * that its measured threads were runnable but not running. SEED makes a run repeatable, WORK scales
 * how long it is.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct truth_part {
	const char *name; /* as the report should show it */
	void (*burn)(uint64_t turns);
	double share;	/* of a round's length */
	double seconds; /* measured */
};

/* What one thread has done. */
struct truth {
	uint64_t random;
	struct truth_part *parts;
	size_t count;
	double delay;
};

/* Spends @turns short, equal steps. */
#define TRUTH_STEPS(turns, constant)                             \
	for (uint64_t x = (constant), i = 0; i < (turns); i++) { \
		x = x * 6364136223846793005U + (constant);       \
		__asm__ volatile("" : : "r"(x));                 \
	}

/* Defines a function that does nothing else. */
#define TRUTH_BURN(name, constant)                                 \
	static __attribute__((noinline)) void name(uint64_t turns) \
	{                                                          \
		TRUTH_STEPS(turns, constant)                       \
	}

/* @salt tells threads apart. */
void truth_init(struct truth *truth, struct truth_part *parts, size_t count, uint64_t salt);

/* CPU time of the calling thread, in seconds. */
double truth_clock(void);

/* How many turns of a TRUTH_BURN function last a millisecond here. */
double truth_turns_per_ms(void);

/* A length with mean @mean: exponential, so that it has no memory, and cut at four times. */
double truth_jitter(struct truth *truth, double mean);

/* Calls each part once, @ms long together on average; parts that are no burners get turns too. */
void truth_round(struct truth *truth, double ms);

/* As many rounds of @ms as make @seconds, times WORK. */
void truth_rounds(struct truth *truth, double seconds, double ms);

/* Closes the calling thread's account: reads how long it waited for a CPU. */
void truth_end_thread(struct truth *truth);

/* Writes what all @count accounts (of one table of parts each) have. */
void truth_write(const struct truth *accounts, size_t count);
