/* SPDX-License-Identifier: MIT */
/*
 * Names for a profile: asks symbolize which functions the buckets lie in, once, and keeps the
 * answers in the profile. Reports then need neither the objects nor symbolize.
 */
#pragma once

#include <stdbool.h>

#include "cli/profile/profile.h"
#include "symbolize/error.h"

/*
 * Fills .places and .frames by @flags (enum sym_flags), unless they are there by the same flags.
 * Where nothing else tells, also which ticks were in the kernel: from the instruction before the
 * bucket, if buckets are small enough to show one. Objects that cannot be read are notes; their
 * code is unknown (or stays as it was named before). -ENOMEM with *err is the only failure.
 */
int places_find(struct profile *profile, unsigned flags, bool verbose, struct error *err);

/* Whether every bucket is small enough to show a system call. */
bool places_show_kernel(const struct profile *profile);

/*
 * Adds the places of @entries (of one object, sorted by address) to those that @profile has, named
 * by @flags from @code; what is known already keeps its name. Marks those of @entries that a system
 * call ends at (.kernel), if they are small enough to show it. 0 or -ENOMEM with *err.
 */
int places_add(struct profile *profile, struct profile_entry **entries, size_t count,
	       struct sym_object *code, unsigned flags, struct error *err);

/* The places of @object that overlap [start, end): the first one, and how many follow each other.
 */
const struct profile_place *places_overlap(const struct profile *profile, uint32_t object,
					   uint64_t start, uint64_t end, size_t *ret_count);
