/* SPDX-License-Identifier: MIT */
/* Choosing among symbols. */

#include "symbolize/rank.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
#define SLOTS_PER_ADDRESS 1
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

	if (rank->count == 0)
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

	if (rank->count == 0 || address <= rank->addresses[0])
		return 0;
	slot = slot_of(rank, address);
	if (slot >= rank->slot_count)
		return rank->count;
	first = rank->slots[slot];
	return first +
	       rank_lower_bound(rank->addresses + first, rank->slots[slot + 1] - first, address);
}

/*
 * Zeroed and in memory. The pages of calloc(3) would come one by one, and twice: first for a read,
 * then for a write, when every thread has to stop and forget the first.
 */
static void *present_zeros(size_t count, size_t size)
{
	void *zeros = reallocarray(NULL, count, size);

	if (zeros)
		explicit_bzero(zeros, count * size);
	return zeros;
}

int rank_init(struct rank *rank, const uint64_t *addresses, size_t count)
{
	*rank = (struct rank){.addresses = addresses, .count = count, .unanswered = count};
	if (count >= UINT32_MAX)
		return -ENOMEM;
	rank->answers = present_zeros(count + 1, sizeof(*rank->answers));
	rank->best = present_zeros(2 * count + 1, sizeof(*rank->best));
	rank->unsized = present_zeros(count + 1, sizeof(*rank->unsized));
	rank->barriers = present_zeros(count + 1, sizeof(*rank->barriers));
	if (!rank->answers || !rank->best || !rank->unsized || !rank->barriers ||
	    make_slots(rank) < 0) {
		rank_done(rank);
		return -ENOMEM;
	}
	return 0;
}

void rank_finish(struct rank *rank)
{
	free(rank->best);
	free(rank->unsized);
	free(rank->barriers);
	free(rank->slots);
	rank->best = NULL;
	rank->unsized = NULL;
	rank->barriers = NULL;
	rank->slots = NULL;
}

void rank_done(struct rank *rank)
{
	rank_finish(rank);
	free(rank->answers);
	free(rank->symbols);
	*rank = (struct rank){.count = 0};
}

static const struct symbol *symbol_at(const struct rank *rank, uint32_t place)
{
	return place ? &rank->symbols[place - 1] : NULL;
}

/* Keeps the symbol at *@place, at a new place if that is 0. */
static int keep_symbol(struct rank *rank, const struct symbol *symbol, uint32_t *place)
{
	if (*place == 0 && rank->symbol_count == rank->symbol_capacity) {
		size_t capacity = rank->symbol_capacity ? 2 * rank->symbol_capacity : 256;
		void *grown = capacity > UINT32_MAX
				      ? NULL
				      : reallocarray(rank->symbols, capacity, sizeof(*symbol));

		if (!grown)
			return -ENOMEM;
		rank->symbols = grown;
		rank->symbol_capacity = capacity;
	}
	if (*place == 0)
		*place = (uint32_t)++rank->symbol_count;
	rank->symbols[*place - 1] = *symbol;
	return 0;
}

static int offer_unsized(struct rank *rank, const struct symbol *symbol)
{
	const size_t i = first_at(rank, symbol->start);
	const struct symbol *best = symbol_at(rank, rank->unsized[i]);

	if (i == rank->count || rank->addresses[i] >= symbol->limit || symbol_is_marker(symbol))
		return 0;
	if (best && (symbol->start < best->start ||
		     (symbol->start == best->start && compare_symbols(symbol, best) >= 0)))
		return 0;
	return keep_symbol(rank, symbol, &rank->unsized[i]);
}

/* The symbol, which is kept at *@place once it is better somewhere, for a node of the tree. */
static int offer_node(struct rank *rank, size_t node, const struct symbol *symbol, uint32_t *place)
{
	const struct symbol *best = symbol_at(rank, rank->best[node]);
	int r;

	if (best && compare_symbols(symbol, best) >= 0)
		return 0;
	r = *place ? 0 : keep_symbol(rank, symbol, place);
	rank->best[node] = *place;
	return r;
}

/* For the addresses from @first to before @end: of the tree's nodes the largest that hold these. */
static int offer_range(struct rank *rank, const struct symbol *symbol, size_t first, size_t end)
{
	uint32_t place = 0;
	int r = 0;

	first += rank->count;
	end += rank->count;
	for (; first < end && r == 0; first /= 2, end /= 2) {
		if (first % 2)
			r = offer_node(rank, first++, symbol, &place);
		if (end % 2 && r == 0)
			r = offer_node(rank, --end, symbol, &place);
	}
	rank->offered = true;
	return r;
}

/* Most symbols cover few addresses. */
#define FEW 8

static size_t end_at(const struct rank *rank, size_t first, uint64_t end)
{
	for (size_t i = first; i < first + FEW; i++)
		if (i == rank->count || rank->addresses[i] >= end)
			return i;
	return first_at(rank, end);
}

/* What earlier tables answered is mostly known to later ones, too. */
static size_t skip_answered(const struct rank *rank, size_t first, size_t end)
{
	for (size_t i = first; i < first + FEW; i++)
		if (i == end || !rank->answers[i])
			return i;
	return first;
}

int rank_offer(void *data, const struct symbol *symbol)
{
	struct rank *rank = data;
	size_t first, end;

	if (rank->count == 0 || symbol->start > rank->addresses[rank->count - 1])
		return 0;
	if (symbol->end == symbol->start)
		return offer_unsized(rank, symbol);
	first = first_at(rank, symbol->start);
	end = end_at(rank, first, symbol->end);
	if (symbol->name && rank->barriers[end] < symbol->end)
		rank->barriers[end] = symbol->end;
	first = skip_answered(rank, first, end);
	if (first == end || (symbol->name && !symbol->name[0]))
		return 0;
	return offer_range(rank, symbol, first, end);
}

static void answer(struct rank *rank, size_t i, uint32_t place)
{
	rank->unanswered -= !rank->answers[i];
	rank->answers[i] = place;
}

/* What is the best for a node is offered to its children. */
static void push_down(struct rank *rank)
{
	for (size_t node = 2; node < 2 * rank->count; node++) {
		const struct symbol *outer = symbol_at(rank, rank->best[node / 2]);
		const struct symbol *own = symbol_at(rank, rank->best[node]);

		if (outer && (!own || compare_symbols(outer, own) < 0))
			rank->best[node] = rank->best[node / 2];
	}
}

void rank_settle(struct rank *rank)
{
	if (!rank->offered)
		return;
	push_down(rank);
	for (size_t i = 0; i < rank->count; i++)
		if (!rank->answers[i] && rank->best[rank->count + i])
			answer(rank, i, rank->best[rank->count + i]);
	memset(rank->best, 0, 2 * rank->count * sizeof(*rank->best));
	rank->offered = false;
}

static bool may_answer(const struct rank *rank, size_t i, const struct symbol *unsized)
{
	const struct symbol *present = rank_answer(rank, i);

	if (rank->addresses[i] >= unsized->limit)
		return false;
	return !present || (!present->name && present->start <= unsized->start);
}

void rank_settle_unsized(struct rank *rank)
{
	const struct symbol *last = NULL;
	uint32_t place = 0;
	uint64_t barrier = 0;

	for (size_t i = 0; i < rank->count; i++) {
		const struct symbol *unsized = symbol_at(rank, rank->unsized[i]);

		if (unsized && (!last || unsized->start >= last->start)) {
			last = unsized;
			place = rank->unsized[i];
		}
		if (rank->barriers[i] > barrier)
			barrier = rank->barriers[i];
		if (last && last->start >= barrier && may_answer(rank, i, last))
			answer(rank, i, place);
	}
}

const struct symbol *rank_answer(const struct rank *rank, size_t index)
{
	return symbol_at(rank, rank->answers[index]);
}
