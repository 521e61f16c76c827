/* SPDX-License-Identifier: MIT */
/* Names as the source's author would write them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * The readable form of @name, or NULL when it is not mangled, is refused by its demangler, or would
 * become absurdly long; then the raw name is the best there is. To be freed.
 */
char *demangle(const char *name);

/* Names of languages that mangle them have no dots but those of suffixes. */
static inline bool demangle_is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R' || name[1] == 'D');
}

/*
 * The length of the first @length bytes of @name without the last of the suffixes by which
 * compilers and linkers tell the parts and copies of one function apart (.part.0, .constprop.0,
 * .llvm.123, .cold, ...); @length when there is none. A suffix without a number may be the
 * function's own name: languages whose names have dots have functions called cold.
 */
size_t demangle_clone_start(const char *name, size_t length, bool *ret_numbered);
