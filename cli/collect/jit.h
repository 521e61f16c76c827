/* SPDX-License-Identifier: MIT */
/*
 * Code that is in no file: each process has an object of its own for it, by addresses in its
 * memory, since another process has other code there. A perf map may name some of it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/profile/profile.h"

/* The object for such code of the process at index @process, or -ENOMEM. */
int64_t jit_add_object(struct profile *profile, uint32_t process);

/*
 * Looks up the @count pcs, in any order, that have ticks in @object of the process @pid. @fd is its
 * perf map or, if negative, not open yet. 0 or -ENOMEM.
 */
int jit_name(struct profile *profile, uint32_t object, pid_t pid, int fd, const uint64_t *pcs,
	     size_t count);

/* Makes places of all names, in a profile that has none yet. 0 or -ENOMEM. */
int jit_finish(struct profile *profile);

/* The map of @pid of this run, see perf_map_open(). */
int jit_open_map(const struct profile *profile, pid_t pid);
