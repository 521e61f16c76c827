/* SPDX-License-Identifier: MIT */
/*
 * From the names of symbol tables to those that people read: versions and clone suffixes off,
 * demangled, each distinct name once.
 */
#pragma once

#include "symbolize/arena.h"
#include "symbolize/sources.h"

struct names {
	struct arena *arena;	     /* where the names live; the owner's */
	struct sources *sources;     /* of the raw names; the owner's */
	struct names_entry *entries; /* hash table, open addressing */
	size_t count, capacity;
	unsigned flags; /* of the names in it */
};

/*
 * The name to show for @raw by enum sym_flags, valid as long as the arena; NULL when memory ran
 * out. @raw must stay where it is, and what it is.
 */
const char *names_show(struct names *names, const char *raw, unsigned flags);

/*
 * The same for @count names at once (NULL stays so). What is read of the file does not stay in
 * memory. 0 or -ENOMEM.
 */
int names_show_all(struct names *names, const char *const *raws, size_t count, unsigned flags,
		   const char **ret_shown);

/* Frees the table, not the names. */
void names_done(struct names *names);
