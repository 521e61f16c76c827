/* SPDX-License-Identifier: MIT */
/* The part of a run in which ticks are counted: --delay and --duration. */
#pragma once

#include <stdbool.h>

struct window {
	double delay, duration; /* seconds from the start; duration 0: to the end */
	double start;		/* on the monotonic clock */
	bool opened, closed;
	double cpu_opened, cpu_closed; /* CPU seconds of the run at these moments */
};

void window_start(struct window *window, double delay, double duration);

/* Seconds since the start of the run. */
double window_age(const struct window *window);

/* When it opens and closes, in seconds of the monotonic clock; INFINITY: never. */
double window_opens(const struct window *window);
double window_closes(const struct window *window);

/* Whether ticks count now. */
bool window_is_open(const struct window *window);

/*
 * Opens or closes the window when it is time, for a run that has used @cpu_seconds so far. Returns
 * the milliseconds until the next time, or -1 if there is none.
 */
int window_advance(struct window *window, double cpu_seconds);

/* Of the @cpu_seconds of a run that has ended, those outside of the window. */
double window_outside(const struct window *window, double cpu_seconds);
