/* SPDX-License-Identifier: MIT */
/*
 * Names that are found once: profiles of one run follow each other twice a second, and each knows
 * most buckets of the one before. Objects are read once and stay open.
 */
#pragma once

#include "cli/profile/profile.h"
#include "symbolize/error.h"

struct known_names;

/*
 * Of names by @flags (enum sym_flags), from the files that the process @keeper has open (0: there
 * is none) where it has them. NULL: no memory.
 */
struct known_names *known_names_new(unsigned flags, pid_t keeper);
void known_names_free(struct known_names *names);

/*
 * Names the code of @profile, which keeps the names that it came with, and marks the ticks in the
 * kernel where nothing else told them. The names are those of @names, which must outlive @profile.
 * 0 or -ENOMEM with *err.
 */
int known_names_find(struct known_names *names, struct profile *profile, struct error *err);
