/* SPDX-License-Identifier: MIT */
/* The pieces of code that buckets lie in: cut where another function may begin. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/profile/profile.h"
#include "symbolize/error.h"
#include "symbolize/symbolize.h"

/* The entries of one object in address order. */
struct buckets {
	struct profile_entry **entries;
	size_t count;
	uint64_t ticks;
};

/* What lies between two cuts, or with lines: the part of it from one bucket's start to the next's.
 */
struct piece {
	uint64_t start, end;
	bool brief; /* too short for code that nothing names */
};

struct pieces {
	struct piece *piece;
	size_t count, room;
};

/*
 * Fills @pieces, which is empty, with those that @buckets overlap in @code. 0 or a negative errno
 * with *err; the caller frees .piece.
 */
int pieces_cut(struct pieces *pieces, const struct buckets *buckets, bool lines,
	       struct sym_object *code, struct error *err);
