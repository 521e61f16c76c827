/* SPDX-License-Identifier: MIT */
/* Reading and skipping attribute values by their forms. */

#include <dwarf.h>

#include "symbolize/dwarf_attr.h"

/* Of forms whose size does not depend on the unit; 0 stands for every other. */
static const uint8_t fixed_sizes[] = {
	[DW_FORM_data1] = 1,	[DW_FORM_ref1] = 1,	[DW_FORM_flag] = 1,
	[DW_FORM_strx1] = 1,	[DW_FORM_addrx1] = 1,	[DW_FORM_data2] = 2,
	[DW_FORM_ref2] = 2,	[DW_FORM_strx2] = 2,	[DW_FORM_addrx2] = 2,
	[DW_FORM_strx3] = 3,	[DW_FORM_addrx3] = 3,	[DW_FORM_data4] = 4,
	[DW_FORM_ref4] = 4,	[DW_FORM_ref_sup4] = 4, [DW_FORM_strx4] = 4,
	[DW_FORM_addrx4] = 4,	[DW_FORM_data8] = 8,	[DW_FORM_ref8] = 8,
	[DW_FORM_ref_sig8] = 8, [DW_FORM_ref_sup8] = 8, [DW_FORM_data16] = 16,
};

uint8_t dwarf_form_size(const struct dwarf_unit *unit, uint64_t form)
{
	if (form < sizeof(fixed_sizes) && fixed_sizes[form])
		return fixed_sizes[form];
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_addr:
		return unit->address_size;
	case DW_FORM_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_GNU_ref_alt:
		return unit->offset_size;
	case DW_FORM_ref_addr:
		return unit->version <= 2 ? unit->address_size : unit->offset_size;
	default:
		return DWARF_VARIABLE;
	}
}

/* The size of a block, whose length stands before it. */
static bool read_block_size(struct reader *reader, uint64_t form, uint64_t *ret_size)
{
	switch (form) {
	case DW_FORM_block1:
		*ret_size = reader_u8(reader);
		return true;
	case DW_FORM_block2:
		*ret_size = reader_u16(reader);
		return true;
	case DW_FORM_block4:
		*ret_size = reader_u32(reader);
		return true;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		*ret_size = reader_uleb(reader);
		return true;
	default:
		return false;
	}
}

static void read_variable(const struct dwarf_unit *unit, struct reader *reader, uint64_t form,
			  struct dwarf_value *value)
{
	uint64_t size;

	if (read_block_size(reader, form, &size)) {
		reader_skip(reader, size);
		return;
	}
	switch (form) {
	case DW_FORM_string:
		value->string = reader_string(reader);
		return;
	case DW_FORM_sdata:
		value->number = (uint64_t)reader_sleb(reader);
		return;
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		value->number = reader_uleb(reader);
		return;
	case DW_FORM_indirect:
		form = reader_uleb(reader);
		if (form == DW_FORM_indirect || form == DW_FORM_implicit_const)
			reader_fail(reader);
		else
			dwarf_form_read(unit, reader, form, 0, value);
		return;
	default:
		reader_fail(reader);
	}
}

void dwarf_form_read(const struct dwarf_unit *unit, struct reader *reader, uint64_t form,
		     int64_t implicit, struct dwarf_value *value)
{
	const uint8_t size = dwarf_form_size(unit, form);

	*value = (struct dwarf_value){.form = (uint16_t)form};
	if (size == DWARF_VARIABLE)
		read_variable(unit, reader, form, value);
	else if (size == 16)
		reader_skip(reader, size);
	else if (size)
		value->number = reader_unsigned(reader, size);
	else
		value->number = form == DW_FORM_flag_present ? 1 : (uint64_t)implicit;
}

void dwarf_form_skip(const struct dwarf_unit *unit, struct reader *reader, uint64_t form)
{
	struct dwarf_value ignored;

	dwarf_form_read(unit, reader, form, 0, &ignored);
}
