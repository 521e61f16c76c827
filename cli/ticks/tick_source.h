/* SPDX-License-Identifier: MIT */
/*
 * Who ticks: the table of tick sources. A source is a row here and the code behind its kind;
 * --ticks, its messages and --ticks=help are made from the table.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbolize/error.h"

enum tick_kind {
	TICK_TIMER,  /* a POSIX CPU timer in every thread of the target */
	TICK_LIBC,   /* the C library's own profil(3) */
	TICK_SIGNAL, /* signals that profrun sends to threads that run */
	TICK_KERNEL, /* the kernel's software clock, read by profrun */
	TICK_PTRACE, /* profrun stops threads for a moment and looks where they are */
	TICK_AUTO,   /* one of them, chosen when the program is known */
};

struct tick_source {
	const char *name;
	const char *summary;
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

/* The source called @name, or NULL. */
const struct tick_source *tick_source_find(const char *name);

/* What a run needs of its source. */
struct tick_need {
	bool own_signal;     /* --signal was given */
	bool preload_enters; /* the program itself */
	bool privileged;     /* it changes its rights, so that nobody may look at it */
};

/*
 * The source that "auto" stands for on this machine; *ret_why says why, for -v. Where the kernel's
 * clock is permitted that takes one system call.
 */
const struct tick_source *tick_source_choose(const struct tick_need *need, struct error *ret_why);
