/* SPDX-License-Identifier: MIT */
/* Functions that stand behind ours. */
#pragma once

/*
 * The definition of the function @name in the first object after this one, as dlsym(RTLD_NEXT)
 * gives it; NULL: there is none. Not async-signal-safe: no object may be loaded or closed
 * meanwhile.
 */
void *next_find(const char *name);

/* The same in the library whose file is called @library, wherever it stands. Of the preload alone.
 */
void *next_find_in(const char *library, const char *name);

/* The path from which the dynamic linker loaded the preload; it stays. NULL: not known. */
const char *next_own_path(void);
