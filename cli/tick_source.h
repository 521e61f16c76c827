/* SPDX-License-Identifier: MIT */
/*
 * Who ticks: the table of tick sources. A source is a row here and the code behind its kind;
 * --ticks, its messages and --ticks=help are made from the table.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tick_kind {
	TICK_TIMER,  /* a POSIX CPU timer in every thread of the target */
	TICK_LIBC,   /* the C library's own profil(3) */
	TICK_KERNEL, /* the kernel's software clock, read by profrun */
};

struct tick_source {
	const char *name;
	const char *summary;
	/* The source that this name chooses on this machine; NULL: itself. */
	const char *(*stands_for)(void);
	enum tick_kind kind;
	uint32_t only_rate_hz; /* the one rate that it can do; 0: any */
	bool no_follow;	       /* cannot follow child processes */
	bool main_only;	       /* sees the main executable's text only */
	bool no_threads;       /* cannot tell threads apart */
	bool no_window;	       /* counts from the start to the end, whatever --delay says */
	bool takes_signal;     /* --signal means something */
	bool any_program;      /* needs no preload in the program */
};

/* The row at @index, in the order of --ticks=help; NULL after the last. */
const struct tick_source *tick_source_at(size_t index);
const char *tick_source_name(size_t index);

/* The source called @name, or NULL. A name that stands for another ("auto") gives that one. */
const struct tick_source *tick_source_find(const char *name);
