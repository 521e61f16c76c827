/* SPDX-License-Identifier: MIT */
/* What a view shows, and how keys change it. It knows neither the terminal nor where profiles come
 * from. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cli/options.h"
#include "cli/profile/profile.h"
#include "cli/report/terminal.h"

struct view;

/* What a key that is pressed asks for. */
enum view_wish {
	VIEW_NOTHING,
	VIEW_DRAW,  /* the view looks another way now */
	VIEW_NAMES, /* and needs the same profile again: other names, or other parts of it */
	VIEW_QUIT,
};

/* By @options, as a report would be; NULL: no memory. */
struct view *view_new(const struct options *options);
void view_free(struct view *view);

/* Takes over @profile, named and as recent as view_is_recent() wants it, as what is shown now. */
void view_set_profile(struct view *view, struct profile *profile);

bool view_is_paused(const struct view *view);

/* Whether it shows the last seconds (cli/live/recent.h) instead of the whole run. */
bool view_is_recent(const struct view *view);

/* Which names it needs (enum sym_flags). */
unsigned view_name_flags(const struct view *view);

/* The keys at @text, as the terminal sent them, @length bytes. */
enum view_wish view_press(struct view *view, const char *text, size_t length);

/*
 * The view in @lines lines, each ended by a newline but the last; with @has_keys the last tells the
 * keys. Freed by the caller; NULL: no memory.
 */
char *view_write(struct view *view, const struct terminal *terminal, size_t lines, bool has_keys);

/* The same in one line. */
char *view_write_line(const struct view *view, const struct terminal *terminal);
