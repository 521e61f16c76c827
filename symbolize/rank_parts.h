/* SPDX-License-Identifier: MIT */
/*
 * Many addresses shared among threads: each thread ranks, for its part of the addresses, all
 * symbols. What of them covers none of its part it passes over, and nothing is written that others
 * read.
 */
#pragma once

#include "symbolize/rank.h"
#include "symbolize/worker.h"

struct rank_parts {
	struct rank parts[WORKERS_MAX];
	size_t count;
};

/* Calls @visit with @visitor_data for symbols, as symtab_each() does, in several threads. */
typedef int rank_walk(void *data, symbol_visitor *visit, void *visitor_data);

/* 0 or -ENOMEM. */
int rank_parts_init(struct rank_parts *parts, const uint64_t *addresses, size_t count);
void rank_parts_done(struct rank_parts *parts);

/* Of all parts, the addresses that have no answer yet. */
size_t rank_parts_unanswered(const struct rank_parts *parts);

/* Answers by what @walk visits, as rank_offer() and rank_settle() do. 0 or -ENOMEM. */
int rank_parts_offer(struct rank_parts *parts, rank_walk *walk, void *data);

/* Ends it: all answers go to @ret_rank, over all addresses. 0, or -ENOMEM with nothing in it. */
int rank_parts_join(struct rank_parts *parts, struct rank *ret_rank);
