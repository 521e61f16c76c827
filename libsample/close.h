/* SPDX-License-Identifier: MIT */
/* The interposed dlclose(3). */
#pragma once

/* Finds the C library's functions; to be called early, when no lock of the dynamic linker is held.
 */
void close_resolve(void);
