/* SPDX-License-Identifier: MIT */
/*
 * Small programs that must do under profrun what they do without. A target holds those of one kind;
 * its argument names the one to run, "list" prints their names. What they print is the same each
 * time: no pids, no addresses, no times. Before and after each of them, everything that a program
 * can ask about its own state is printed too.
 */
#pragma once

#include <stddef.h>

struct bare_case {
	const char *name;
	void (*run)(void);
};

int bare_main(int argc, char **argv, const struct bare_case *cases, size_t count);

#define BARE_MAIN(cases)                                                               \
	int main(int argc, char **argv)                                                \
	{                                                                              \
		return bare_main(argc, argv, cases, sizeof(cases) / sizeof(*(cases))); \
	}

/* Spends CPU time, so that ticks come. */
void bare_burn(int milliseconds);

/* Prints "what: value", with the name of errno when it is negative. */
void bare_show(const char *what, long value);

/* Prints how a child ended, and reaps it. */
void bare_show_child(const char *what, int pid);

/* Milliseconds of a clock that nobody sets. */
double bare_now(void);

/* Prints whether less than @milliseconds have passed since @start. */
void bare_show_length(const char *what, double start, double milliseconds);

/* The path of this program, and runs another of its cases in a new process image. */
extern const char *bare_program;
void bare_exec(const char *name);

/* Descriptors, signals, timers, limits, environment. */
void bare_state(const char *when);
