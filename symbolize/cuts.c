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

static bool strictly_inside(const struct cuts *cuts, uint64_t address)
{
	size_t low = 0, high = cuts->range_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (cuts->ranges[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < cuts->range_count && cuts->ranges[low].start < address;
}

int cuts_add(struct cuts *cuts, uint64_t address)
{
	if (!strictly_inside(cuts, address))
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

int cuts_add_symbol(void *data, const struct symbol *symbol)
{
	struct cuts *cuts = data;
	int r;

	if (symbol->end == symbol->start && symbol_is_marker(symbol))
		return 0;
	r = cuts_add(cuts, symbol->start);
	return r < 0 ? r : cuts_add(cuts, symbol->end);
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
