/* SPDX-License-Identifier: MIT */
/* All units' ranges against the sorted addresses. */

#include "symbolize/dwarf_cover.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "symbolize/dwarf_aranges.h"
#include "symbolize/dwarf_ranges.h"
#include "symbolize/rank.h"

/* Identical code of several units may have been folded into one; more than this is damage. */
#define UNITS_PER_ADDRESS 4

struct search {
	struct dwarf_cover *cover;
	const uint64_t *addresses;
	size_t count;
	uint8_t *covered;     /* by how many units */
	size_t covered_count; /* addresses that one covers */
};

static int add_item(struct dwarf_cover *cover, struct dwarf_unit *unit, size_t address)
{
	if (cover->count == cover->capacity) {
		size_t capacity = cover->capacity ? 2 * cover->capacity : 256;
		void *grown = reallocarray(cover->items, capacity, sizeof(*cover->items));

		if (!grown)
			return -ENOMEM;
		cover->items = grown;
		cover->capacity = capacity;
	}
	cover->items[cover->count++] = (struct dwarf_cover_item){unit, address};
	return 0;
}

/* A range of a function that the linker dropped starts where no code is. */
static int add_range(struct search *search, struct dwarf_unit *unit, const struct sym_range *range)
{
	size_t i = rank_lower_bound(search->addresses, search->count, range->start);

	if (i == search->count || search->addresses[i] >= range->end ||
	    !elf_file_is_code(unit->dwarf->file, range->start))
		return 0;
	for (; i < search->count && search->addresses[i] < range->end; i++) {
		int r;

		if (!dwarf_spend(unit->dwarf, 1))
			break;
		if (search->covered[i] == UNITS_PER_ADDRESS)
			continue;
		search->covered_count += search->covered[i]++ == 0;
		r = add_item(search->cover, unit, i);
		if (r < 0)
			return r;
	}
	return 0;
}

static bool has_code(const struct dwarf_unit *unit)
{
	return unit->tag == DW_TAG_compile_unit || unit->tag == DW_TAG_skeleton_unit ||
	       unit->tag == DW_TAG_partial_unit;
}

static int add_unit(struct search *search, struct dwarf_unit *unit)
{
	struct dwarf_ranges ranges;
	struct sym_range range;

	if (!dwarf_unit_load(unit) || !has_code(unit) || !dwarf_ranges_of_unit(unit, &ranges))
		return 0;
	while (dwarf_ranges_next(&ranges, &range)) {
		int r = add_range(search, unit, &range);

		if (r < 0)
			return r;
	}
	return 0;
}

static int add_uncovered(struct search *search, struct dwarf_unit *unit)
{
	if (unit->version == 0 || !has_code(unit) || !unit->has_line_program || unit->has_ranges ||
	    unit->high_pc)
		return 0;
	for (size_t i = 0; i < search->count; i++) {
		int r = search->covered[i] ? 0 : add_item(search->cover, unit, i);

		if (r < 0)
			return r;
		if (!dwarf_spend(unit->dwarf, 1))
			break;
	}
	return 0;
}

/* Before DWARF 3 a root DIE could tell only one of its unit's ranges. */
static int add_listed_range(void *data, struct dwarf_unit *unit, const struct sym_range *range)
{
	struct search *search = data;

	return has_code(unit) ? add_range(search, unit, range) : 0;
}

static int compare_items(const void *a, const void *b)
{
	const struct dwarf_cover_item *one = a, *other = b;

	if (one->unit != other->unit)
		return one->unit < other->unit ? -1 : 1;
	return one->address < other->address ? -1 : one->address > other->address;
}

/* Ranges of one unit may overlap. */
static void drop_duplicates(struct dwarf_cover *cover)
{
	size_t kept = 0;

	if (cover->count)
		qsort(cover->items, cover->count, sizeof(*cover->items), compare_items);
	for (size_t i = 0; i < cover->count; i++)
		if (kept == 0 || compare_items(&cover->items[i], &cover->items[kept - 1]) != 0)
			cover->items[kept++] = cover->items[i];
	cover->count = kept;
}

int dwarf_cover_find(struct dwarf *dwarf, const uint64_t *addresses, size_t count,
		     struct dwarf_cover *ret_cover)
{
	struct search search = {.cover = ret_cover, .addresses = addresses, .count = count};
	int r = dwarf_units_load(dwarf);

	*ret_cover = (struct dwarf_cover){NULL, 0, 0};
	if (r < 0)
		return r;
	search.covered = calloc(count + 1, sizeof(*search.covered));
	if (!search.covered)
		return -ENOMEM;
	for (size_t i = 0; i < dwarf->unit_count && r == 0; i++)
		r = add_unit(&search, &dwarf->units[i]);
	if (r == 0 && search.covered_count < count)
		r = dwarf_aranges_each(dwarf, add_listed_range, &search);
	for (size_t i = 0; i < dwarf->unit_count && r == 0; i++)
		r = add_uncovered(&search, &dwarf->units[i]);
	free(search.covered);
	drop_duplicates(ret_cover);
	return r;
}

void dwarf_cover_done(struct dwarf_cover *cover)
{
	free(cover->items);
	cover->items = NULL;
}
