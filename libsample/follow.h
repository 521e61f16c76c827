/* SPDX-License-Identifier: MIT */
/*
 * The environment of the next image has what lets the preload in, also when the program made one of
 * its own (env -i, a build tool, a test runner) or emptied it. Everything but follow_remember() is
 * async-signal-safe, allocates nothing and leaves errno alone.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Keeps this image's entries; without them, or when not called, environments stay as they are. */
void follow_remember(const char *control);

bool follow_is_on(void);

/*
 * Whether the next image's dynamic linker can load the module: it cannot in another root, under
 * another mount, or under limits that leave no room. It would say so on the program's stderr.
 */
bool follow_can_load(void);

/*
 * Bytes for follow_fit() to make the environment in, 0 when @environment (NULL: empty) is right as
 * it is. An image that the preload cannot @enter must not be told to load it.
 */
size_t follow_room(char *const *environment, bool enter);

/* @environment, or one like it with our entries, made in @room. */
char **follow_fit(char *const *environment, bool enter, void *room, size_t size);
