/* SPDX-License-Identifier: MIT */
/* The interposed functions that start programs. */
#pragma once

/* They find the C library's; to be called early, when no lock of the dynamic linker is held. */
void exec_resolve(void);
void spawn_resolve(void);
