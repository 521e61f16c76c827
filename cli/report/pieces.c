/* SPDX-License-Identifier: MIT */
/* Buckets become ranges, ranges are cut. */

#include "cli/report/pieces.h"

#include <errno.h>
#include <stdlib.h>

#include "cli/grow.h"
#include "symbolize/util.h"

/*
 * Unknown bytes fewer than this, between two cuts, are alignment: compilers align functions to 16
 * bytes, and no time is spent there. Ranges reach this far beyond their buckets, so that the true
 * length of such a gap is seen.
 */
#define GAP_MIN 16

static uint64_t entry_end(const struct profile_entry *entry)
{
	return entry->size > UINT64_MAX - entry->address ? UINT64_MAX
							 : entry->address + entry->size;
}

/* The buckets with GAP_MIN bytes around them, united where they touch. */
static struct sym_range *make_ranges(const struct buckets *buckets, size_t *ret_count)
{
	struct sym_range *ranges = calloc(buckets->count, sizeof(*ranges));
	size_t count = 0;

	if (!ranges)
		return NULL;
	for (size_t i = 0; i < buckets->count; i++) {
		const struct profile_entry *entry = buckets->entries[i];
		uint64_t start = entry->address < GAP_MIN ? 0 : entry->address - GAP_MIN;
		uint64_t end = entry_end(entry);

		end = end > UINT64_MAX - GAP_MIN ? UINT64_MAX : end + GAP_MIN;
		if (count && start <= ranges[count - 1].end) {
			if (end > ranges[count - 1].end)
				ranges[count - 1].end = end;
			continue;
		}
		ranges[count++] = (struct sym_range){start, end};
	}
	*ret_count = count;
	return ranges;
}

static int add_piece(struct pieces *pieces, uint64_t start, uint64_t end, bool brief)
{
	if (!grow(&pieces->piece, pieces->count + 1, &pieces->room))
		return -ENOMEM;
	pieces->piece[pieces->count++] = (struct piece){start, end, brief};
	return 0;
}

/* Adds the parts of [start, end) that start where a bucket does; @bucket is the first in it. */
static int add_parts(struct pieces *pieces, const struct buckets *buckets, size_t bucket,
		     uint64_t start, uint64_t end)
{
	bool brief = end - start < GAP_MIN;

	while (bucket < buckets->count && buckets->entries[bucket]->address < end) {
		uint64_t address = buckets->entries[bucket]->address, next = end;
		uint64_t from = address > start ? address : start;

		while (++bucket < buckets->count) {
			next = buckets->entries[bucket]->address;
			if (next > from)
				break;
		}
		if (bucket == buckets->count || next > end)
			next = end;
		if (add_piece(pieces, from, next, brief) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* Adds what some bucket overlaps of the pieces of @range; *cuts and *bucket advance. */
static int add_pieces(struct pieces *pieces, const struct buckets *buckets,
		      const struct sym_range *range, const uint64_t **cuts,
		      const uint64_t *last_cut, size_t *bucket, bool lines)
{
	uint64_t start = range->start;
	int code = 0;

	while (start < range->end && code == 0) {
		bool cut = *cuts < last_cut && **cuts < range->end;
		uint64_t end = cut ? *(*cuts)++ : range->end;

		while (*bucket < buckets->count && entry_end(buckets->entries[*bucket]) <= start)
			(*bucket)++;
		if (*bucket < buckets->count && buckets->entries[*bucket]->address < end)
			code = lines ? add_parts(pieces, buckets, *bucket, start, end)
				     : add_piece(pieces, start, end, end - start < GAP_MIN);
		start = end;
	}
	return code;
}

int pieces_cut(struct pieces *pieces, const struct buckets *buckets, bool lines,
	       struct sym_object *code, struct error *err)
{
	size_t range_count = 0, cut_count = 0, bucket = 0;
	AUTO_FREE struct sym_range *ranges = make_ranges(buckets, &range_count);
	AUTO_FREE uint64_t *cuts = NULL;
	const uint64_t *cut;
	int code_error;

	if (!ranges)
		return error_set(err, -ENOMEM, "out of memory");
	code_error = sym_object_cuts(code, ranges, range_count, &cuts, &cut_count, err);
	cut = cuts;
	for (size_t i = 0; i < range_count && code_error == 0; i++)
		code_error = add_pieces(pieces, buckets, &ranges[i], &cut, cuts + cut_count,
					&bucket, lines);
	return code_error == -ENOMEM ? error_set(err, -ENOMEM, "out of memory") : code_error;
}
