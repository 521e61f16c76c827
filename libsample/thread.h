/* SPDX-License-Identifier: MIT */
/* pthread_create(3) and thrd_create(3), interposed so that each thread arms itself before it runs.
 */
#pragma once

#include <stdbool.h>

/* Finds the C library's functions; to be called early, when no lock of the dynamic linker is held.
 */
void thread_resolve(void);

/* Whether a thread was made before: a constructor may have run ahead of ours. */
bool thread_any(void);
