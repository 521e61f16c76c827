/* SPDX-License-Identifier: MIT */
/*
 * Which symbol names an address: the smallest that covers it; among equals functions before data,
 * global before local, names of current versions before those of old ones, then fewer leading
 * underscores, then the order of names. A symbol without a size (hand-written assembly) names only
 * what no sized one covers, up to the next symbol, the end of its section, or the next sized
 * symbol.
 *
 * Symbols are offered in any order, each costs a binary search in the sorted addresses. Only those
 * that are the best for an address so far are kept: a segment tree over the addresses knows them,
 * so that a symbol costs a logarithm however many addresses it covers.
 */
#pragma once

#include "symbolize/symtab.h"

struct rank {
	const uint64_t *addresses; /* sorted, unique; the caller's */
	size_t count;
	/* In the order offered. One without a name is a function whose name nobody knows. */
	struct symbol *symbols;
	size_t symbol_count, symbol_capacity;
	/* Of each address; like all below the place in symbols, from 1 on. 0: none. */
	uint32_t *answers;
	size_t unanswered;

	uint32_t *best;	    /* the tree: node n's children are 2n and 2n+1, leaves start at count */
	uint32_t *unsized;  /* the last symbol without a size, for addresses from here on */
	uint64_t *barriers; /* the last end of a sized symbol, the same */
	uint32_t *slots;    /* see rank.c */
	size_t slot_count;
	unsigned slot_shift;
	bool offered; /* something, since the last answers */
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

/* The symbol that names the address at @index, valid until the next offer; NULL: none. */
const struct symbol *rank_answer(const struct rank *rank, size_t index);

/* The index of the first of @count sorted addresses that is not below @address. */
size_t rank_lower_bound(const uint64_t *addresses, size_t count, uint64_t address);
