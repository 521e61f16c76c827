/* SPDX-License-Identifier: MIT */
/* Objects that nobody registered: what is known of them is that they are mapped. */
#pragma once

#include "cli/collect/maps.h"
#include "cli/profile/profile.h"

/*
 * The object in @profile that @mapping of @pid shows a part of, or a negative errno; *ret_start is
 * the address in the object of the mapping's start. -ENOEXEC: it shows no file, or none in ELF, so
 * that its code was made at run time.
 */
int64_t mapped_object_add(struct profile *profile, pid_t pid, const struct mapping *mapping,
			  uint64_t *ret_start);
