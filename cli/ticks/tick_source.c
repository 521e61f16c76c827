/* SPDX-License-Identifier: MIT */
/* The table of tick sources. */

#include "cli/ticks/tick_source.h"

#include "cli/choice.h"
#include "cli/ticks/kernel_clock.h"
#include "symbolize/util.h"

static const struct tick_source tick_sources[] = {
	{
		.name = "auto",
		.summary = "kernel where it is permitted, else timer, or ptrace if it must be",
		.kind = TICK_AUTO,
		.takes_signal = true,
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
		.name = "signal",
		.summary = "profrun, which sends signals to threads that run: unbiased, any rate",
		.kind = TICK_SIGNAL,
		.takes_signal = true,
	},
	{
		.name = "ptrace",
		.summary = "profrun, which stops threads for a moment: for static programs",
		.kind = TICK_PTRACE,
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

	return index < 0 ? NULL : &tick_sources[index];
}

const struct tick_source *tick_source_choose(const struct tick_need *need, struct error *ret_why)
{
	if (need->own_signal) {
		error_set(ret_why, 0, "--signal is for it");
		return tick_source_find("timer");
	}
	if (kernel_clock_permitted(ret_why) == 0) {
		error_set(ret_why, 0, "the kernel gives its clock of every CPU");
		return tick_source_find("kernel");
	}
	if (need->preload_enters || need->privileged)
		return tick_source_find("timer");
	if (!kernel_clock_permitted_in_part())
		return tick_source_find("ptrace");
	error_set(ret_why, 0,
		  "no preload enters the program, and the kernel gives its threads clocks");
	return tick_source_find("kernel");
}
