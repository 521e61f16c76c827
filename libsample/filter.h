/* SPDX-License-Identifier: MIT */
/* What a program says before it filters system calls. */
#pragma once

/* Finds the C library's function; to be called early, when no lock of the dynamic linker is held.
 */
void filter_resolve(void);
