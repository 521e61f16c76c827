/* SPDX-License-Identifier: MIT */
/* The keys of a view, and its state, which they change. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/live/view.h"
#include "cli/options.h"

struct view {
	struct options options; /* as they are now: keys, order */
	struct keys given;	/* by the user */
	size_t sort;		/* index of the column that orders rows, see column_of() */
	size_t scroll;		/* rows above those that are shown */
	bool paused;
	bool recent;	     /* the last seconds are shown, not the whole run */
	const char *message; /* on the last key; NULL: none */
	struct profile *profile;
	double busy; /* CPUs that were used between the last two profiles */
};

void view_keys_init(struct view *view);

/* The line that tells the keys, without its end; what holds now stands out. */
void view_keys_write(const struct view *view, const struct terminal *terminal, bool has_keys,
		     FILE *stream);

/* What there is to say on the last key. */
void view_keys_write_message(const struct view *view, const struct terminal *terminal,
			     FILE *stream);
