/* SPDX-License-Identifier: MIT */
/*
 * The terminal while a view is on it. Where the program's output goes there too, the view is a line
 * at the bottom, below a scrolling region that is the program's, so that none of its output is
 * written over. Else it is the alternate screen.
 *
 * Two processes know the screen, profrun and its viewer, and whoever outlives the other gives the
 * terminal back as it was, once.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "symbolize/error.h"

struct screen;

/*
 * Finds the terminal: that of stderr, or else the controlling one. 0, or a negative errno with
 * *err, why there can be no view. Nothing is changed on it yet.
 */
int screen_open(struct screen **ret_screen, struct error *err);
void screen_close(struct screen *screen);

int screen_fd(const struct screen *screen);

/* A line at the bottom is all there is. */
bool screen_is_line(const struct screen *screen);

/* Whether keys can be read: they are the program's where its stdin is this terminal. */
bool screen_has_keys(const struct screen *screen);

/* The descriptor to read them from; -1 while they go to another job. */
int screen_keys_fd(const struct screen *screen);

/* How many lines at the bottom of the alternate screen are for what the program says on stderr. */
size_t screen_spare_lines(const struct screen *screen);

/* Its size now; false: too small for anything. */
bool screen_size(const struct screen *screen, size_t *ret_columns, size_t *ret_lines);

/*
 * Takes the terminal, unless it is another job's or a program that draws on all of it has it now:
 * false then, and the terminal is given back.
 */
bool screen_show(struct screen *screen);

/*
 * Gives the terminal back, if it is taken; the second one waits for a terminal that the user has
 * stopped, and the screen cannot be shown again. Async-signal-safe.
 */
void screen_hide(struct screen *screen);
void screen_hide_at_last(struct screen *screen);

/* Shows @text, the lines of a view (or the only one), on the screen that screen_show() took. */
void screen_draw(struct screen *screen, const char *text);
