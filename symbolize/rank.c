/* SPDX-License-Identifier: MIT */
/* Choosing among symbols. */

#include "symbolize/rank.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct rank_candidate {
	struct symbol symbol;
	size_t first, end; /* of the addresses that it covers */
};

static const uint8_t type_order[16] = {
	[STT_FUNC] = 0,
	[STT_GNU_IFUNC] = 1,
	[STT_NOTYPE] = 2,
	[STT_OBJECT] = 3,
};

static const uint8_t binding_order[16] = {
	[STB_GLOBAL] = 0,
	[STB_GNU_UNIQUE] = 0,
	[STB_WEAK] = 1,
	[STB_LOCAL] = 3,
};

/* Of a library's names, those by which programs no longer know a function; before local ones. */
#define OLD_ORDER 2

/* In .symtab the version stands in the name: "name@@VERSION", or "name@VERSION" if it is old. */
static bool is_old(const struct symbol *symbol)
{
	const char *at = symbol->name && !symbol->is_old ? strchr(symbol->name, '@') : NULL;

	return symbol->is_old || (at && at > symbol->name && at[1] != '@' && at[1] != '\0');
}

static unsigned binding_of(const struct symbol *symbol)
{
	const unsigned order = binding_order[symbol->binding];

	return order < OLD_ORDER && is_old(symbol) ? OLD_ORDER : order;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Versions are no part of names: glob@VERSION comes before glob64@VERSION. */
static int compare_names(const char *a, const char *b)
{
	int order = compare_numbers(strspn(a, "_"), strspn(b, "_"));

	if (order)
		return order;
	while (*a && *a == *b && *a != '@') {
		a++;
		b++;
	}
	return compare_numbers(*a == '@' ? 0 : (uint8_t)*a, *b == '@' ? 0 : (uint8_t)*b);
}

/*
 * Of two symbols for the same code, the better one first. Of two that only overlap the one that
 * starts first, so that names, which are all over the file, need not be looked at.
 */
static int compare_symbols(const struct symbol *a, const struct symbol *b)
{
	int order = compare_numbers(a->end - a->start, b->end - b->start);

	if (order == 0)
		order = compare_numbers(type_order[a->type], type_order[b->type]);
	if (order == 0)
		order = compare_numbers(a->start, b->start);
	if (order == 0)
		order = compare_numbers(binding_of(a), binding_of(b));
	if (order || !a->name || !b->name)
		return order;
	return compare_names(a->name, b->name);
}

static int compare_candidates(const void *a, const void *b)
{
	const struct rank_candidate *one = a, *other = b;

	return compare_symbols(&one->symbol, &other->symbol);
}

size_t rank_lower_bound(const uint64_t *addresses, size_t count, uint64_t address)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (addresses[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Most symbols cover no address at all. The span of the addresses is divided into equal slots, each
 * of which knows its first address, so that a few are left to be searched among.
 */
#define SLOTS_PER_ADDRESS 2
#define SLOTS_MIN	  1024

static unsigned slot_shift(uint64_t span, size_t count)
{
	const uint64_t slots = count < SLOTS_MIN ? SLOTS_MIN : SLOTS_PER_ADDRESS * (uint64_t)count;
	unsigned shift = 0;

	while (span >> shift >= slots)
		shift++;
	return shift;
}

static size_t slot_of(const struct rank *rank, uint64_t address)
{
	return (size_t)((address - rank->addresses[0]) >> rank->slot_shift);
}

static int make_slots(struct rank *rank)
{
	const uint64_t *addresses = rank->addresses;
	size_t i = 0;

	if (rank->count == 0 || rank->count > UINT32_MAX)
		return 0;
	rank->slot_shift = slot_shift(addresses[rank->count - 1] - addresses[0], rank->count);
	rank->slot_count = slot_of(rank, addresses[rank->count - 1]) + 1;
	rank->slots = malloc((rank->slot_count + 1) * sizeof(*rank->slots));
	if (!rank->slots)
		return -ENOMEM;
	for (size_t slot = 0; slot <= rank->slot_count; slot++) {
		while (i < rank->count && slot_of(rank, addresses[i]) < slot)
			i++;
		rank->slots[slot] = (uint32_t)i;
	}
	return 0;
}

/* rank_lower_bound() by the slots. */
static size_t first_at(const struct rank *rank, uint64_t address)
{
	size_t slot, first;

	if (!rank->slots)
		return rank_lower_bound(rank->addresses, rank->count, address);
	if (address <= rank->addresses[0])
		return 0;
	slot = slot_of(rank, address);
	if (slot >= rank->slot_count)
		return rank->count;
	first = rank->slots[slot];
	return first +
	       rank_lower_bound(rank->addresses + first, rank->slots[slot + 1] - first, address);
}

int rank_init(struct rank *rank, const uint64_t *addresses, size_t count)
{
	*rank = (struct rank){.addresses = addresses, .count = count, .unanswered = count};
	rank->answers = calloc(count + 1, sizeof(*rank->answers));
	rank->next = calloc(count + 1, sizeof(*rank->next));
	rank->barriers = calloc(count + 1, sizeof(*rank->barriers));
	rank->unsized = calloc(count + 1, sizeof(*rank->unsized));
	if (!rank->answers || !rank->next || !rank->barriers || !rank->unsized ||
	    make_slots(rank) < 0) {
		rank_done(rank);
		return -ENOMEM;
	}
	for (size_t i = 0; i <= count; i++)
		rank->next[i] = i;
	return 0;
}

void rank_finish(struct rank *rank)
{
	free(rank->next);
	free(rank->barriers);
	free(rank->unsized);
	free(rank->candidates);
	free(rank->slots);
	rank->next = NULL;
	rank->barriers = NULL;
	rank->unsized = NULL;
	rank->candidates = NULL;
	rank->slots = NULL;
}

void rank_done(struct rank *rank)
{
	rank_finish(rank);
	free(rank->answers);
	*rank = (struct rank){.count = 0};
}

static int keep_candidate(struct rank *rank, const struct rank_candidate *candidate)
{
	if (rank->candidate_count == rank->candidate_capacity) {
		size_t capacity = rank->candidate_capacity ? 2 * rank->candidate_capacity : 256;
		void *grown = reallocarray(rank->candidates, capacity, sizeof(*candidate));

		if (!grown)
			return -ENOMEM;
		rank->candidates = grown;
		rank->candidate_capacity = capacity;
	}
	rank->candidates[rank->candidate_count++] = *candidate;
	return 0;
}

static void offer_unsized(struct rank *rank, const struct symbol *symbol)
{
	size_t i = first_at(rank, symbol->start);
	struct symbol *best = &rank->unsized[i];

	if (i == rank->count || rank->addresses[i] >= symbol->limit || symbol_is_marker(symbol))
		return;
	if (!best->name || symbol->start > best->start ||
	    (symbol->start == best->start && compare_symbols(symbol, best) < 0))
		*best = *symbol;
}

int rank_offer(void *data, const struct symbol *symbol)
{
	struct rank *rank = data;
	struct rank_candidate candidate = {.symbol = *symbol};

	if (symbol->end == symbol->start) {
		offer_unsized(rank, symbol);
		return 0;
	}
	candidate.first = first_at(rank, symbol->start);
	candidate.end = candidate.first;
	while (candidate.end < rank->count && candidate.end < candidate.first + 8 &&
	       rank->addresses[candidate.end] < symbol->end)
		candidate.end++;
	if (candidate.end == candidate.first + 8)
		candidate.end = first_at(rank, symbol->end);
	if (symbol->name && rank->barriers[candidate.end] < symbol->end)
		rank->barriers[candidate.end] = symbol->end;
	return candidate.first == candidate.end ? 0 : keep_candidate(rank, &candidate);
}

static size_t first_unanswered(struct rank *rank, size_t i)
{
	size_t root = i;

	while (rank->next[root] != root)
		root = rank->next[root];
	while (rank->next[i] != root) {
		size_t next = rank->next[i];

		rank->next[i] = root;
		i = next;
	}
	return root;
}

static void answer(struct rank *rank, size_t i, const struct symbol *symbol)
{
	rank->unanswered -= !rank->answers[i].found;
	rank->answers[i] = (struct rank_answer){true, symbol->name, symbol->start};
	rank->next[i] = i + 1;
}

void rank_settle(struct rank *rank)
{
	if (rank->candidate_count)
		qsort(rank->candidates, rank->candidate_count, sizeof(*rank->candidates),
		      compare_candidates);
	for (size_t c = 0; c < rank->candidate_count; c++) {
		const struct rank_candidate *candidate = &rank->candidates[c];
		size_t i = first_unanswered(rank, candidate->first);

		if (i < candidate->end && candidate->symbol.name && !candidate->symbol.name[0])
			continue;
		for (; i < candidate->end; i = first_unanswered(rank, i))
			answer(rank, i, &candidate->symbol);
	}
	rank->candidate_count = 0;
}

static bool may_answer(const struct rank *rank, size_t i, const struct symbol *unsized)
{
	const struct rank_answer *present = &rank->answers[i];

	if (!unsized->name || rank->addresses[i] >= unsized->limit)
		return false;
	return !present->found || (!present->name && present->start <= unsized->start);
}

void rank_settle_unsized(struct rank *rank)
{
	const struct symbol none = {.name = NULL};
	const struct symbol *last = &none;
	uint64_t barrier = 0;

	for (size_t i = 0; i < rank->count; i++) {
		if (rank->unsized[i].name && rank->unsized[i].start >= last->start)
			last = &rank->unsized[i];
		if (rank->barriers[i] > barrier)
			barrier = rank->barriers[i];
		if (last->start >= barrier && may_answer(rank, i, last))
			answer(rank, i, last);
	}
}
