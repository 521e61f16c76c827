/* SPDX-License-Identifier: MIT */
/* Unit headers of DWARF 2 to 5, 32- and 64-bit, and root DIEs. */

#include "symbolize/dwarf_units.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "symbolize/dwarf_abbrev.h"

static bool is_type_unit(const struct dwarf_unit *unit)
{
	return unit->type == DW_UT_type || unit->type == DW_UT_split_type;
}

/* Before DWARF 5 the type of unit does not stand in the header. */
static bool read_header(struct reader *reader, struct dwarf_unit *unit)
{
	unit->version = reader_u16(reader);
	if (unit->version < 2 || unit->version > 5)
		return false;
	unit->type = unit->dwarf->is_types ? DW_UT_type : DW_UT_compile;
	if (unit->version == 5) {
		unit->type = reader_u8(reader);
		unit->address_size = reader_u8(reader);
	}
	unit->abbrev_offset = reader_unsigned(reader, unit->offset_size);
	if (unit->version < 5)
		unit->address_size = reader_u8(reader);
	if (unit->type != DW_UT_compile && unit->type != DW_UT_partial)
		unit->split_id = reader_u64(reader);
	if (is_type_unit(unit))
		unit->type_die = unit->offset + reader_unsigned(reader, unit->offset_size);
	return !reader->failed && (unit->address_size == 4 || unit->address_size == 8);
}

/* The unit at the reader, which moves behind it. False at the end, and where nothing fits. */
static bool next_unit(struct reader *reader, const uint8_t *start, struct dwarf_unit *unit)
{
	struct reader body;
	uint64_t length;

	unit->offset = (uint64_t)(reader->at - start);
	length = reader_length(reader, &unit->offset_size);
	if (reader->failed || length == 0 || !reader_has(reader, length))
		return false;
	body = *reader;
	body.end = body.at + length;
	reader->at += length;
	unit->end = (uint64_t)(reader->at - start);
	if (!read_header(&body, unit))
		unit->version = 0;
	unit->root = (uint64_t)(body.at - start);
	return true;
}

static void note_damage(const struct dwarf *dwarf)
{
	notes_add(dwarf->notes, "debug information of '%s' is read in part: the rest is damaged",
		  dwarf->file->path);
}

int dwarf_units_load(struct dwarf *dwarf)
{
	const struct bytes info = dwarf_bytes(dwarf, DWARF_INFO);
	struct reader reader = reader_of(info, dwarf->file->big_endian);
	struct dwarf_unit unit = {.dwarf = dwarf};
	size_t count = 0;

	if (dwarf->units_known)
		return 0;
	while (next_unit(&reader, info.data, &unit))
		count++;
	dwarf->units = calloc(count + 1, sizeof(*dwarf->units));
	if (!dwarf->units)
		return -ENOMEM;
	reader = reader_of(info, dwarf->file->big_endian);
	while (dwarf->unit_count < count) {
		dwarf->units[dwarf->unit_count].dwarf = dwarf;
		next_unit(&reader, info.data, &dwarf->units[dwarf->unit_count++]);
	}
	dwarf->units_known = true;
	if (reader_left(&reader))
		note_damage(dwarf);
	return 0;
}

/* The first unit that ends behind @offset, or NULL. */
static struct dwarf_unit *find_unit(struct dwarf *dwarf, uint64_t offset)
{
	size_t low = 0, high;

	if (dwarf_units_load(dwarf) < 0)
		return NULL;
	high = dwarf->unit_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (dwarf->units[middle].end <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < dwarf->unit_count ? &dwarf->units[low] : NULL;
}

struct dwarf_unit *dwarf_unit_at(struct dwarf *dwarf, uint64_t offset)
{
	struct dwarf_unit *unit = find_unit(dwarf, offset);

	return unit && offset >= unit->root && dwarf_unit_load(unit) ? unit : NULL;
}

struct dwarf_unit *dwarf_unit_of_header(struct dwarf *dwarf, uint64_t offset)
{
	struct dwarf_unit *unit = find_unit(dwarf, offset);

	return unit && offset == unit->offset && dwarf_unit_load(unit) ? unit : NULL;
}

static int compare_signatures(const void *a, const void *b)
{
	struct dwarf_unit *const *one = a, *const *other = b;

	return (*one)->split_id < (*other)->split_id ? -1 : (*one)->split_id > (*other)->split_id;
}

static void index_type_units(struct dwarf *dwarf)
{
	dwarf->type_units = calloc(dwarf->unit_count + 1, sizeof(struct dwarf_unit *));
	if (!dwarf->type_units)
		return;
	for (size_t i = 0; i < dwarf->unit_count; i++)
		if (is_type_unit(&dwarf->units[i]))
			dwarf->type_units[dwarf->type_unit_count++] = &dwarf->units[i];
	qsort(dwarf->type_units, dwarf->type_unit_count, sizeof(struct dwarf_unit *),
	      compare_signatures);
}

static struct dwarf_unit *find_type_unit(struct dwarf *dwarf, uint64_t signature)
{
	const struct dwarf_unit key = {.split_id = signature}, *key_pointer = &key;
	struct dwarf_unit **found;

	if (dwarf_units_load(dwarf) < 0)
		return NULL;
	if (!dwarf->type_units)
		index_type_units(dwarf);
	if (!dwarf->type_units)
		return NULL;
	found = bsearch(&key_pointer, dwarf->type_units, dwarf->type_unit_count,
			sizeof(struct dwarf_unit *), compare_signatures);
	return found && dwarf_unit_load(*found) ? *found : NULL;
}

struct dwarf_unit *dwarf_type_unit(struct dwarf *dwarf, uint64_t signature)
{
	struct dwarf_unit *unit = find_type_unit(dwarf, signature);
	struct dwarf *types = unit ? NULL : dwarf_types(dwarf);

	return types ? find_type_unit(types, signature) : unit;
}

static uint64_t number_of(const struct dwarf_values *values, enum dwarf_slot slot,
			  uint64_t otherwise)
{
	const struct dwarf_value *value = dwarf_value(values, slot);

	return value ? value->number : otherwise;
}

/* Tables of split units have no attribute that says where they start: behind their header. */
static void load_bases(struct dwarf_unit *unit, const struct dwarf_values *values)
{
	const uint64_t header = unit->offset_size == 8 ? 16 : 8;
	const bool has_headers = unit->version >= 5;

	unit->str_offsets_base =
		number_of(values, DWARF_STR_OFFSETS_BASE, has_headers ? header : 0);
	unit->addr_base = number_of(values, DWARF_ADDR_BASE, has_headers ? header : 0);
	unit->ranges_base = has_headers ? number_of(values, DWARF_RNGLISTS_BASE, header + 4)
					: number_of(values, DWARF_RANGES_BASE, 0);
}

/* A number is counted from the start; before DWARF 4 there were only addresses. */
static uint64_t end_of(struct dwarf_unit *unit, const struct dwarf_value *high)
{
	uint64_t address;

	if (!high)
		return 0;
	if (dwarf_value_address(unit, high, &address))
		return address;
	return unit->low_pc + high->number;
}

bool dwarf_unit_load(struct dwarf_unit *unit)
{
	struct dwarf_values values;
	const struct dwarf_value *ranges;

	if (unit->root_known)
		return unit->version != 0;
	unit->root_known = true;
	if (unit->version == 0 || !dwarf_abbrev_read_root(unit, &unit->tag, &values)) {
		unit->version = 0;
		note_damage(unit->dwarf);
		return false;
	}
	load_bases(unit, &values);
	unit->split_id = number_of(&values, DWARF_SPLIT_ID, unit->split_id);
	unit->language = (uint16_t)number_of(&values, DWARF_LANGUAGE, 0);
	unit->has_line_program = dwarf_value(&values, DWARF_LINE_PROGRAM);
	unit->line_program = number_of(&values, DWARF_LINE_PROGRAM, 0);
	unit->has_low_pc =
		dwarf_value_address(unit, dwarf_value(&values, DWARF_LOW_PC), &unit->low_pc);
	unit->high_pc = end_of(unit, dwarf_value(&values, DWARF_HIGH_PC));
	ranges = dwarf_value(&values, DWARF_RANGE_LIST);
	if (ranges) {
		unit->has_ranges = true;
		unit->ranges = ranges->number;
		unit->ranges_form = ranges->form;
	}
	unit->name = dwarf_value_string(unit, dwarf_value(&values, DWARF_NAME));
	unit->directory = dwarf_value_string(unit, dwarf_value(&values, DWARF_DIRECTORY));
	unit->split_name = dwarf_value_string(unit, dwarf_value(&values, DWARF_SPLIT_NAME));
	return true;
}
