/* SPDX-License-Identifier: MIT */
/* The interposed sigwait family. */
#pragma once

/* Finds the C library's functions; to be called early, when no lock of the dynamic linker is held.
 */
void wait_resolve(void);
