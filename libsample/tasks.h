/* SPDX-License-Identifier: MIT */
/* The threads of the calling process, as the kernel lists them. */
#pragma once

/* Calls @function with each thread id until it returns non-zero, which is returned; else 0 or
 * -errno. */
int tasks_each(int (*function)(int tid));
