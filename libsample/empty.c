/* SPDX-License-Identifier: MIT */
/* What 32-bit programs find in the place of the preload: a module with nothing in it. */

extern int profrun_empty;
