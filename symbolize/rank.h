/* SPDX-License-Identifier: MIT */
/*
 * Which symbol names an address: the smallest that covers it; among equals functions before data,
 * global before local, names of current versions before those of old ones, then fewer leading
 * underscores, then the order of names. A symbol without a size (hand-written assembly) names only
 * what no sized one covers, up to the next symbol, the end of its section, or the next sized
 * symbol.
 *
 * Symbols are offered in any order, each costs a binary search in the sorted addresses; only those
 * that cover an address are kept and sorted.
 */
#pragma once

#include "symbolize/symtab.h"

struct rank_answer {
	bool found;
	const char *name; /* NULL: a function without a name */
	uint64_t start;	  /* of the symbol */
};

struct rank {
	const uint64_t *addresses; /* sorted, unique; the caller's */
	size_t count;
	struct rank_answer *answers;
	size_t unanswered;

	struct rank_candidate *candidates;
	size_t candidate_count, candidate_capacity;
	uint32_t *slots; /* see rank.c; NULL: none */
	size_t slot_count;
	unsigned slot_shift;
	size_t *next;		/* the first address from here on that has no answer */
	uint64_t *barriers;	/* the last end of a sized symbol, for addresses from here on */
	struct symbol *unsized; /* the last symbol without a size, the same */
};

/* 0 or -ENOMEM. */
int rank_init(struct rank *rank, const uint64_t *addresses, size_t count);
void rank_done(struct rank *rank);

/* Frees what is needed no more once all is settled: the answers stay. */
void rank_finish(struct rank *rank);

/* A symbol_visitor; @rank is the struct rank. */
int rank_offer(void *rank, const struct symbol *symbol);

/* Answers by the sized symbols offered since the last call; earlier answers stand. */
void rank_settle(struct rank *rank);

/*
 * Answers by symbols without a size what no sized one of any table covered; a nameless function
 * that starts behind such a symbol stays one.
 */
void rank_settle_unsized(struct rank *rank);

/* The index of the first of @count sorted addresses that is not below @address. */
size_t rank_lower_bound(const uint64_t *addresses, size_t count, uint64_t address);
