/* SPDX-License-Identifier: MIT */
/* Collecting the places inside ranges of code where another function may begin or end. */
#pragma once

#include "symbolize/symtab.h"

struct cuts {
	const struct sym_range *ranges; /* sorted, disjoint; the caller's */
	size_t range_count;
	uint64_t *addresses; /* those found, in any order until cuts_sort() */
	size_t count, capacity;
};

void cuts_init(struct cuts *cuts, const struct sym_range *ranges, size_t count);
void cuts_done(struct cuts *cuts);

/* Notes @address if it lies strictly inside a range. 0 or -ENOMEM. */
int cuts_add(struct cuts *cuts, uint64_t address);

/* A symbol_visitor; @cuts is the struct cuts. */
int cuts_add_symbol(void *cuts, const struct symbol *symbol);

/* Sorted and unique. */
void cuts_sort(struct cuts *cuts);
