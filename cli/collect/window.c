/* SPDX-License-Identifier: MIT */
/* Moments are wall time, as a user counts them; what is outside is told in CPU time. */

#include "cli/collect/window.h"

#include <math.h>
#include <time.h>

#include "cli/monotonic.h"

void window_start(struct window *window, double delay, double duration)
{
	*window = (struct window){.delay = delay,
				  .duration = duration,
				  .start = monotonic_seconds(),
				  .opened = delay <= 0};
}

double window_age(const struct window *window)
{
	return monotonic_seconds() - window->start;
}

double window_opens(const struct window *window)
{
	return window->start + window->delay;
}

double window_closes(const struct window *window)
{
	return window->duration > 0 ? window_opens(window) + window->duration : INFINITY;
}

bool window_is_open(const struct window *window)
{
	return window->opened && !window->closed;
}

/* Milliseconds, rounded up, so that the next look is not too early. */
static int milliseconds(double seconds)
{
	return seconds > 1e6 ? 1000000000 : (int)(seconds * 1e3) + 1;
}

int window_advance(struct window *window, double cpu_seconds)
{
	double elapsed = window_age(window), end = window->delay + window->duration;

	if (!window->opened && elapsed >= window->delay) {
		window->opened = true;
		window->cpu_opened = cpu_seconds;
	}
	if (!window->opened)
		return milliseconds(window->delay - elapsed);
	if (window->closed || window->duration <= 0)
		return -1;
	if (elapsed < end)
		return milliseconds(end - elapsed);
	window->closed = true;
	window->cpu_closed = cpu_seconds;
	return -1;
}

double window_outside(const struct window *window, double cpu_seconds)
{
	double before = window->opened ? window->cpu_opened : cpu_seconds;
	double after = window->closed ? cpu_seconds - window->cpu_closed : 0;

	return before + (after > 0 ? after : 0);
}
