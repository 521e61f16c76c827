/* SPDX-License-Identifier: MIT */
/*
 * This image's part of the arena: opened once, mapped, its descriptor closed at once. Nothing here
 * prints, exits or fails the program; what cannot be had is recorded for profrun.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "libsample/arena.h"

/*
 * Opens the arena that @control (the control variable's value) names and checks that it is the one.
 * Returns its header, or NULL.
 */
const struct arena_header *image_open(const char *control);

/* Makes and announces the slice, with a histogram for each segment. NULL: recorded why not. */
struct arena_image *image_new(int argc, char **argv);

/*
 * Before a fork: has a slice ready for the child, which is cheaper than one that it must find
 * itself. Without @may_open none that would need a descriptor.
 */
void image_before_fork(bool may_open);

/* In the child of a fork: a slice of its own at the same addresses. 0 or a negative errno. */
int image_fork(void);

/* Closes the descriptor that image_open() or image_fork() left open. */
void image_close(void);

/* The current slice, or NULL. */
struct arena_image *image_current(void);

/*
 * Whether there is one and it is the calling process's: the child of a vfork runs in its parent's
 * memory. Async-signal-safe.
 */
bool image_is_own(void);

/* Nanoseconds of CPU time that the process has used. Async-signal-safe. */
uint64_t image_cpu(void);

/*
 * Counts the program at @path among those that children become without being entered. NULL: there
 * is no room, or nobody to read it. Async-signal-safe; writes to the arena alone.
 */
struct arena_unentered *image_unentered(const char *path);

/* The signal that ticks is another one now. Async-signal-safe. */
void image_signal_moved(int signal);

/* Says that a debugger traces the process, or no longer does. Async-signal-safe. */
void image_mark_traced(uint32_t pid, bool traced);
bool image_is_traced(void);

/* Records the first thing that went wrong. Async-signal-safe. */
void image_record(enum arena_reason reason, int error);
