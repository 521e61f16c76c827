/* SPDX-License-Identifier: MIT */
/* The table of tick sources. */

#include "cli/tick_source.h"

#include "cli/choice.h"
#include "symbolize/util.h"

/* One that any user has on any machine, so that runs can be compared. */
static const char *choose(void)
{
	return "timer";
}

static const struct tick_source tick_sources[] = {
	{
		.name = "auto",
		.summary = "the best source that works here (timer)",
		.stands_for = choose,
	},
	{
		.name = "timer",
		.summary = "a CPU timer in every thread of the program",
		.kind = TICK_TIMER,
		.takes_signal = true,
	},
	{
		.name = "kernel",
		.summary = "the kernel's clock, read from outside: exact, for any program",
		.kind = TICK_KERNEL,
		.any_program = true,
	},
	{
		.name = "libc",
		.summary = "the C library's profil(3), to compare with: main program, 100 Hz",
		.kind = TICK_LIBC,
		.only_rate_hz = 100,
		.no_window = true,
		.no_threads = true,
		.no_follow = true,
		.main_only = true,
	},
};

const struct tick_source *tick_source_at(size_t index)
{
	return index < ARRAY_SIZE(tick_sources) ? &tick_sources[index] : NULL;
}

const char *tick_source_name(size_t index)
{
	return index < ARRAY_SIZE(tick_sources) ? tick_sources[index].name : NULL;
}

const struct tick_source *tick_source_find(const char *name)
{
	long index = choice_find(tick_source_name, name);

	if (index < 0)
		return NULL;
	if (tick_sources[index].stands_for)
		return tick_source_find(tick_sources[index].stands_for());
	return &tick_sources[index];
}
