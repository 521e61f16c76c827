/* SPDX-License-Identifier: MIT */
/*
 * Where the names of one object come from, best first. A source is asked only for what the earlier
 * ones could not name, and read only then.
 */
#pragma once

#include "symbolize/arena.h"
#include "symbolize/cuts.h"
#include "symbolize/name_set.h"
#include "symbolize/notes.h"
#include "symbolize/rank.h"

struct sources {
	const struct elf_file *file; /* the owner's */
	struct arena *arena;	     /* the owner's; names that are in no file live there */
	struct notes *notes;	     /* the owner's */
	struct elf_file *debug;	     /* the separate debug file, see sources_debug_file() */
	struct elf_file *embedded;   /* what .gnu_debugdata holds */
	bool debug_known, embedded_known;
	struct dynamic dynamic;
	struct symtab dynamic_symbols;
	bool has_dynamic, has_dynamic_symbols;
	struct symbol *stubs; /* of the PLT, once they were asked for */
	size_t stub_count;
	bool stubs_known;
	struct name_set functions; /* of the sources that were asked for one */
	size_t functions_from;	   /* the first source that was not */
	const char *used;	   /* the first source that answered something; NULL: none yet */
};

void sources_open(struct sources *sources, const struct elf_file *file, struct arena *arena,
		  struct notes *notes);
void sources_close(struct sources *sources);

/* The separate debug file, looked for once; NULL when there is none. */
const struct elf_file *sources_debug_file(struct sources *sources);

/*
 * Answers, in @ret_rank, which symbols name @count sorted, unique addresses. Many are shared among
 * threads. 0, or -ENOMEM with nothing in @ret_rank.
 */
int sources_rank(struct sources *sources, const uint64_t *addresses, size_t count,
		 struct rank *ret_rank);

/*
 * Whether the first @length bytes of @name are a symbol of code, or are mangled. Not in programs by
 * Go, whose packages are called like functions. 1, 0 or -ENOMEM.
 */
int sources_find_function(struct sources *sources, const char *name, size_t length);

/* Adds where functions begin and end. 0 or -ENOMEM. */
int sources_cut(struct sources *sources, struct cuts *cuts);
