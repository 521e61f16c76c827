/* SPDX-License-Identifier: MIT */
/* Reading .debug_aranges: sets of ranges, one set for each unit that has code. */

#include "symbolize/dwarf_aranges.h"

struct set {
	struct reader ranges;
	uint64_t unit;
	unsigned address_size;
};

/* The set at the reader, which moves behind it; false at the end, and where there is none. */
static bool next_set(struct reader *reader, struct set *set)
{
	const uint8_t *start = reader->at;
	uint8_t offset_size;
	const uint64_t length = reader_length(reader, &offset_size);
	unsigned pair;

	if (reader->failed || length == 0 || !reader_has(reader, length))
		return false;
	set->ranges = *reader;
	set->ranges.end = reader->at + length;
	reader->at += length;
	reader_u16(&set->ranges);
	set->unit = reader_unsigned(&set->ranges, offset_size);
	set->address_size = reader_u8(&set->ranges);
	reader_u8(&set->ranges); /* of segments, which no machine of today has */
	if (set->address_size != 4 && set->address_size != 8)
		reader_fail(&set->ranges);
	pair = 2 * set->address_size;
	if (pair)
		reader_skip(&set->ranges, -(uint64_t)(set->ranges.at - start) & (pair - 1));
	return true;
}

static bool next_range(struct set *set, struct sym_range *ret_range)
{
	uint64_t length;

	if (!reader_left(&set->ranges))
		return false;
	ret_range->start = reader_unsigned(&set->ranges, set->address_size);
	length = reader_unsigned(&set->ranges, set->address_size);
	ret_range->end = ret_range->start + length;
	return !set->ranges.failed && length != 0 && ret_range->end > ret_range->start;
}

int dwarf_aranges_each(struct dwarf *dwarf, dwarf_aranges_visitor *visit, void *data)
{
	struct reader reader = dwarf_reader(dwarf, DWARF_ARANGES, 0);
	struct sym_range range;
	struct set set;

	while (reader_left(&reader) && next_set(&reader, &set)) {
		struct dwarf_unit *unit = dwarf_unit_of_header(dwarf, set.unit);

		while (unit && next_range(&set, &range)) {
			int r = visit(data, unit, &range);

			if (r != 0)
				return r;
			if (!dwarf_spend(dwarf, 1))
				return 0;
		}
	}
	return 0;
}
