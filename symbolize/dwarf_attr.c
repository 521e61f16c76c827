/* SPDX-License-Identifier: MIT */
/* What attribute values mean: strings, addresses and references through all their tables. */

#include "symbolize/dwarf_attr.h"

#include <dwarf.h>

#include "symbolize/dwarf_alternate.h"
#include "symbolize/dwarf_units.h"

static const uint8_t slots_of[] = {
	[DW_AT_sibling] = DWARF_SIBLING + 1,
	[DW_AT_name] = DWARF_NAME + 1,
	[DW_AT_stmt_list] = DWARF_LINE_PROGRAM + 1,
	[DW_AT_low_pc] = DWARF_LOW_PC + 1,
	[DW_AT_high_pc] = DWARF_HIGH_PC + 1,
	[DW_AT_language] = DWARF_LANGUAGE + 1,
	[DW_AT_comp_dir] = DWARF_DIRECTORY + 1,
	[DW_AT_abstract_origin] = DWARF_ORIGIN + 1,
	[DW_AT_specification] = DWARF_SPECIFICATION + 1,
	[DW_AT_ranges] = DWARF_RANGE_LIST + 1,
	[DW_AT_call_file] = DWARF_CALL_FILE + 1,
	[DW_AT_call_line] = DWARF_CALL_LINE + 1,
	[DW_AT_artificial] = DWARF_ARTIFICIAL + 1,
	[DW_AT_external] = DWARF_EXTERNAL + 1,
	[DW_AT_decl_line] = DWARF_DECLARED_LINE + 1,
	[DW_AT_type] = DWARF_TYPE + 1,
	[DW_AT_linkage_name] = DWARF_LINKAGE_NAME + 1,
	[DW_AT_str_offsets_base] = DWARF_STR_OFFSETS_BASE + 1,
	[DW_AT_addr_base] = DWARF_ADDR_BASE + 1,
	[DW_AT_rnglists_base] = DWARF_RNGLISTS_BASE + 1,
	[DW_AT_dwo_name] = DWARF_SPLIT_NAME + 1,
};

enum dwarf_slot dwarf_slot_of(uint64_t attribute)
{
	if (attribute < sizeof(slots_of))
		return slots_of[attribute] ? (enum dwarf_slot)(slots_of[attribute] - 1)
					   : DWARF_NO_SLOT;
	switch (attribute) {
	case DW_AT_MIPS_linkage_name:
		return DWARF_LINKAGE_NAME;
	case DW_AT_GNU_dwo_name:
		return DWARF_SPLIT_NAME;
	case DW_AT_GNU_dwo_id:
		return DWARF_SPLIT_ID;
	case DW_AT_GNU_ranges_base:
		return DWARF_RANGES_BASE;
	case DW_AT_GNU_addr_base:
		return DWARF_ADDR_BASE;
	default:
		return DWARF_NO_SLOT;
	}
}

static const char *string_at(struct dwarf *dwarf, enum dwarf_section section, uint64_t offset)
{
	struct reader reader = dwarf_reader(dwarf, section, offset);

	return reader.failed ? NULL : reader_string(&reader);
}

static const char *indexed_string(struct dwarf_unit *unit, uint64_t index)
{
	struct reader reader = dwarf_reader(unit->dwarf, DWARF_STR_OFFSETS, unit->str_offsets_base);

	if (index > UINT32_MAX)
		return NULL;
	reader_skip(&reader, index * unit->offset_size);
	index = reader_unsigned(&reader, unit->offset_size);
	return reader.failed ? NULL : string_at(unit->dwarf, DWARF_STR, index);
}

const char *dwarf_value_string(struct dwarf_unit *unit, const struct dwarf_value *value)
{
	struct dwarf *alternate;

	switch (value ? value->form : 0) {
	case DW_FORM_string:
		return value->string;
	case DW_FORM_strp:
		return string_at(unit->dwarf, DWARF_STR, value->number);
	case DW_FORM_line_strp:
		return string_at(unit->dwarf, DWARF_LINE_STR, value->number);
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
		return indexed_string(unit, value->number);
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		alternate = dwarf_alternate(unit->dwarf);
		return alternate ? string_at(alternate, DWARF_STR, value->number) : NULL;
	default:
		return NULL;
	}
}

bool dwarf_indexed_address(struct dwarf_unit *unit, uint64_t index, uint64_t *ret_address)
{
	struct dwarf_unit *owner = unit->skeleton ? unit->skeleton : unit;
	struct reader reader = dwarf_reader(owner->dwarf, DWARF_ADDR, owner->addr_base);

	if (index > UINT32_MAX)
		return false;
	reader_skip(&reader, index * owner->address_size);
	index = reader_unsigned(&reader, owner->address_size);
	if (!reader.failed)
		*ret_address = index;
	return !reader.failed;
}

bool dwarf_value_address(struct dwarf_unit *unit, const struct dwarf_value *value,
			 uint64_t *ret_address)
{
	switch (value ? value->form : 0) {
	case DW_FORM_addr:
		*ret_address = value->number;
		return true;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index:
		return dwarf_indexed_address(unit, value->number, ret_address);
	default:
		return false;
	}
}

static struct dwarf_die die_in(struct dwarf *dwarf, uint64_t offset)
{
	return (struct dwarf_die){dwarf ? dwarf_unit_at(dwarf, offset) : NULL, offset};
}

static struct dwarf_die type_die(struct dwarf *dwarf, uint64_t signature)
{
	struct dwarf_unit *unit = dwarf_type_unit(dwarf, signature);

	return (struct dwarf_die){unit, unit ? unit->type_die : 0};
}

struct dwarf_die dwarf_value_die(struct dwarf_unit *unit, const struct dwarf_value *value)
{
	switch (value ? value->form : 0) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		if (value->number < unit->end - unit->offset)
			return (struct dwarf_die){unit, unit->offset + value->number};
		break;
	case DW_FORM_ref_addr:
		return die_in(unit->dwarf, value->number);
	case DW_FORM_ref_sig8:
		return type_die(unit->dwarf, value->number);
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_GNU_ref_alt:
		return die_in(dwarf_alternate(unit->dwarf), value->number);
	default:
		break;
	}
	return (struct dwarf_die){NULL, 0};
}
