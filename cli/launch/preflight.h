/* SPDX-License-Identifier: MIT */
/*
 * What kind of program the target is, found before it runs, so that what cannot be profiled is
 * said at once and with its reason instead of ending in an empty table.
 */
#pragma once

#include <stdbool.h>

#include "symbolize/error.h"

enum preflight_verdict {
	PREFLIGHT_OK,		/* a dynamic program of this machine: the preload enters it */
	PREFLIGHT_NOT_PROFILED, /* runs, but no preload can enter it: .reason says why */
	PREFLIGHT_NOT_FOUND,	/* exit status 127 */
	PREFLIGHT_NOT_RUNNABLE, /* exit status 126 */
};

struct preflight {
	enum preflight_verdict verdict;
	/*
	 * With PREFLIGHT_NOT_PROFILED: the preload must not be in LD_PRELOAD, since the program's
	 * dynamic linker would complain about it, or its ticks would be wrong. Otherwise children
	 * may be profiled.
	 */
	bool keep_out;
	bool privileged;   /* it changes its rights when it is executed */
	char *path;	   /* the file that exec will be given, found like execvp(3) finds it */
	char *interpreter; /* the program that a script names (it is what is profiled), or NULL */
	char reason[256];  /* "'x' is statically linked", ..., for every verdict but OK */
	char hint[256];	   /* a way out, or "" */
};

/*
 * Looks at @program (a name to search in PATH, or a path). Never fails: what cannot be found out
 * counts as OK and shows when the target runs. Scripts are followed to their interpreter.
 */
void preflight_examine(const char *program, struct preflight *ret_result);
void preflight_done(struct preflight *result);
