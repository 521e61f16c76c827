/* SPDX-License-Identifier: MIT */
/* Boundaries of functions inside ranges. */

#include "symbolize/cuts.h"

#include <errno.h>
#include <stdlib.h>

void cuts_init(struct cuts *cuts, const struct sym_range *ranges, size_t count)
{
	*cuts = (struct cuts){.ranges = ranges, .range_count = count};
}

void cuts_done(struct cuts *cuts)
{
	free(cuts->addresses);
	cuts->addresses = NULL;
}

/* The first range from @low on that ends behind @address. */
static size_t first_behind(const struct cuts *cuts, size_t low, uint64_t address)
{
	size_t high = cuts->range_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (cuts->ranges[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Notes @address if the range at @place, the first that ends behind it, holds it. */
static int add_at(struct cuts *cuts, size_t place, uint64_t address)
{
	if (place == cuts->range_count || cuts->ranges[place].start >= address)
		return 0;
	if (cuts->count == cuts->capacity) {
		size_t capacity = cuts->capacity ? 2 * cuts->capacity : 64;
		void *grown = reallocarray(cuts->addresses, capacity, sizeof(*cuts->addresses));

		if (!grown)
			return -ENOMEM;
		cuts->addresses = grown;
		cuts->capacity = capacity;
	}
	cuts->addresses[cuts->count++] = address;
	return 0;
}

int cuts_add(struct cuts *cuts, uint64_t address)
{
	return add_at(cuts, first_behind(cuts, 0, address), address);
}

/* There are many symbols and they are short: the end is looked for near the start. */
int cuts_add_symbol(void *data, const struct symbol *symbol)
{
	struct cuts *cuts = data;
	size_t place = first_behind(cuts, 0, symbol->start);
	int r;

	if (symbol->end == symbol->start && symbol_is_marker(symbol))
		return 0;
	r = add_at(cuts, place, symbol->start);
	if (r < 0)
		return r;
	for (int near = 0; near < 4; near++, place++)
		if (place == cuts->range_count || cuts->ranges[place].end > symbol->end)
			return add_at(cuts, place, symbol->end);
	return add_at(cuts, first_behind(cuts, place, symbol->end), symbol->end);
}

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return *one < *other ? -1 : *one > *other;
}

void cuts_sort(struct cuts *cuts)
{
	size_t kept = 0;

	if (cuts->count)
		qsort(cuts->addresses, cuts->count, sizeof(*cuts->addresses), compare_addresses);
	for (size_t i = 0; i < cuts->count; i++)
		if (kept == 0 || cuts->addresses[i] != cuts->addresses[kept - 1])
			cuts->addresses[kept++] = cuts->addresses[i];
	cuts->count = kept;
}
