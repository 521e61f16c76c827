/* SPDX-License-Identifier: MIT */
/* DW_AT_low_pc and DW_AT_high_pc, .debug_ranges and .debug_rnglists. */

#include "symbolize/dwarf_ranges.h"

#include <dwarf.h>

static uint64_t address_mask(const struct dwarf_unit *unit)
{
	return unit->address_size == 8 ? UINT64_MAX : UINT32_MAX;
}

static struct dwarf_unit *addresses_of(struct dwarf_unit *unit)
{
	return unit->skeleton ? unit->skeleton : unit;
}

/* A list by its number: the table of offsets stands at the base, which they are relative to. */
static struct reader indexed_list(struct dwarf_unit *unit, uint64_t index)
{
	struct reader table = dwarf_reader(unit->dwarf, DWARF_RNGLISTS, unit->ranges_base);
	uint64_t offset;

	reader_skip(&table, index < UINT32_MAX ? index * unit->offset_size : UINT64_MAX);
	offset = reader_unsigned(&table, unit->offset_size);
	if (table.failed)
		return table;
	table = dwarf_reader(unit->dwarf, DWARF_RNGLISTS, unit->ranges_base);
	reader_skip(&table, offset);
	return table;
}

/* Before DWARF 5 the lists of split units stay in the program, from its skeleton's base on. */
static struct reader old_list(struct dwarf_unit *unit, uint64_t offset)
{
	if (!unit->skeleton)
		return dwarf_reader(unit->dwarf, DWARF_RANGES, offset);
	return dwarf_reader(unit->skeleton->dwarf, DWARF_RANGES,
			    unit->skeleton->ranges_base + offset);
}

static void begin_list(struct dwarf_unit *unit, uint16_t form, uint64_t number,
		       struct dwarf_ranges *ranges)
{
	ranges->base = addresses_of(unit)->low_pc;
	if (unit->version < 5) {
		ranges->kind = DWARF_RANGES_OLD;
		ranges->reader = old_list(unit, number);
		return;
	}
	ranges->kind = DWARF_RANGES_NEW;
	ranges->reader = form == DW_FORM_rnglistx
				 ? indexed_list(unit, number)
				 : dwarf_reader(unit->dwarf, DWARF_RNGLISTS, number);
}

bool dwarf_ranges_of_unit(struct dwarf_unit *unit, struct dwarf_ranges *ret_ranges)
{
	*ret_ranges = (struct dwarf_ranges){.unit = unit};
	if (unit->has_ranges) {
		begin_list(unit, unit->ranges_form, unit->ranges, ret_ranges);
		return true;
	}
	if (!unit->has_low_pc || unit->high_pc <= unit->low_pc)
		return false;
	ret_ranges->kind = DWARF_RANGES_ONE;
	ret_ranges->one = (struct sym_range){unit->low_pc, unit->high_pc};
	return true;
}

bool dwarf_ranges_of_die(struct dwarf_unit *unit, const struct dwarf_values *values,
			 struct dwarf_ranges *ret_ranges)
{
	const struct dwarf_value *list = dwarf_value(values, DWARF_RANGE_LIST);
	const struct dwarf_value *high = dwarf_value(values, DWARF_HIGH_PC);
	uint64_t start, end;

	*ret_ranges = (struct dwarf_ranges){.unit = unit};
	if (list) {
		begin_list(unit, list->form, list->number, ret_ranges);
		return true;
	}
	if (!high || !dwarf_value_address(unit, dwarf_value(values, DWARF_LOW_PC), &start))
		return false;
	if (!dwarf_value_address(unit, high, &end))
		end = (start + high->number) & address_mask(unit);
	ret_ranges->kind = DWARF_RANGES_ONE;
	ret_ranges->one = (struct sym_range){start, end};
	return true;
}

static bool next_old(struct dwarf_ranges *ranges, struct sym_range *ret_range)
{
	const unsigned size = ranges->unit->address_size;
	const uint64_t mask = address_mask(ranges->unit);

	while (dwarf_spend(ranges->unit->dwarf, 1)) {
		const uint64_t start = reader_unsigned(&ranges->reader, size);
		const uint64_t end = reader_unsigned(&ranges->reader, size);

		if (ranges->reader.failed || (start == 0 && end == 0))
			return false;
		if (start == mask) {
			ranges->base = end;
			continue;
		}
		*ret_range = (struct sym_range){(start + ranges->base) & mask,
						(end + ranges->base) & mask};
		return true;
	}
	return false;
}

static uint64_t read_address(struct dwarf_ranges *ranges)
{
	return reader_unsigned(&ranges->reader, ranges->unit->address_size);
}

static uint64_t read_indexed(struct dwarf_ranges *ranges)
{
	uint64_t address = 0;

	if (!dwarf_indexed_address(ranges->unit, reader_uleb(&ranges->reader), &address))
		reader_fail(&ranges->reader);
	return address;
}

/* One entry; true when it was a range, false when it was the end or a new base. */
static bool read_entry(struct dwarf_ranges *ranges, uint8_t kind, struct sym_range *ret_range)
{
	struct reader *reader = &ranges->reader;

	switch (kind) {
	case DW_RLE_base_addressx:
		ranges->base = read_indexed(ranges);
		return false;
	case DW_RLE_base_address:
		ranges->base = read_address(ranges);
		return false;
	case DW_RLE_startx_endx:
		ret_range->start = read_indexed(ranges);
		ret_range->end = read_indexed(ranges);
		return true;
	case DW_RLE_startx_length:
		ret_range->start = read_indexed(ranges);
		ret_range->end = ret_range->start + reader_uleb(reader);
		return true;
	case DW_RLE_offset_pair:
		ret_range->start = ranges->base + reader_uleb(reader);
		ret_range->end = ranges->base + reader_uleb(reader);
		return true;
	case DW_RLE_start_end:
		ret_range->start = read_address(ranges);
		ret_range->end = read_address(ranges);
		return true;
	case DW_RLE_start_length:
		ret_range->start = read_address(ranges);
		ret_range->end = ret_range->start + reader_uleb(reader);
		return true;
	default: /* the end, or what nobody knows */
		reader_fail(reader);
		return false;
	}
}

static bool next_new(struct dwarf_ranges *ranges, struct sym_range *ret_range)
{
	while (!ranges->reader.failed && dwarf_spend(ranges->unit->dwarf, 1))
		if (read_entry(ranges, reader_u8(&ranges->reader), ret_range))
			return !ranges->reader.failed;
	return false;
}

bool dwarf_ranges_next(struct dwarf_ranges *ranges, struct sym_range *ret_range)
{
	bool found = true;

	while (found) {
		switch (ranges->kind) {
		case DWARF_RANGES_ONE:
			*ret_range = ranges->one;
			ranges->kind = DWARF_RANGES_END;
			break;
		case DWARF_RANGES_OLD:
			found = next_old(ranges, ret_range);
			break;
		case DWARF_RANGES_NEW:
			found = next_new(ranges, ret_range);
			break;
		default:
			found = false;
		}
		if (found && ret_range->start < ret_range->end)
			return true;
	}
	return false;
}
