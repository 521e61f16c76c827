/* SPDX-License-Identifier: MIT */
/* The same work for many names of a file. */
#pragma once

#include "symbolize/arena.h"
#include "symbolize/elf_file.h"

/*
 * After so many names the memory of the string table is given back: one that is looked at brings
 * its neighbours along, 64 KB of them; names are in the order of their symbols, mostly.
 */
#define EACH_NAME_FORGETS 512

/* To be freed; NULL: none. Called by several threads. */
typedef char *each_name_make(const char *name, unsigned flags);

/*
 * Puts into @ret_texts what @make makes of each of the @count names (NULL: nothing) in the string
 * tables of @file, in @arena; NULL also where memory ran out. Works on a thread for each CPU where
 * that pays. What is read of @file does not stay in memory.
 */
void each_name(const struct elf_file *file, const char *const *names, size_t count,
	       each_name_make *make, unsigned flags, struct arena *arena, const char **ret_texts);
