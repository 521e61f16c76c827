/* SPDX-License-Identifier: MIT */
/* Attributes of DIEs: the few that matter here, their raw values, and what those mean. */
#pragma once

#include "symbolize/dwarf_data.h"

enum dwarf_slot {
	DWARF_NAME,
	DWARF_LINKAGE_NAME,
	DWARF_LOW_PC,
	DWARF_HIGH_PC,
	DWARF_RANGE_LIST,
	DWARF_ORIGIN,
	DWARF_SPECIFICATION,
	DWARF_CALL_FILE,
	DWARF_CALL_LINE,
	DWARF_SIBLING,
	DWARF_LINE_PROGRAM,
	DWARF_DIRECTORY,
	DWARF_LANGUAGE,
	DWARF_SPLIT_NAME,
	DWARF_SPLIT_ID,
	DWARF_STR_OFFSETS_BASE,
	DWARF_ADDR_BASE,
	DWARF_RNGLISTS_BASE,
	DWARF_RANGES_BASE,
	DWARF_TYPE,
	DWARF_ARTIFICIAL,
	DWARF_EXTERNAL,
	DWARF_DECLARED_LINE,
	DWARF_SLOTS,
	DWARF_NO_SLOT = DWARF_SLOTS,
};

struct dwarf_value {
	uint16_t form;
	uint64_t number;    /* constant, offset, index or address, as the form has it */
	const char *string; /* of DW_FORM_string */
};

struct dwarf_values {
	uint32_t present; /* a bit per slot */
	struct dwarf_value slots[DWARF_SLOTS];
};

struct dwarf_die {
	struct dwarf_unit *unit; /* NULL: none */
	uint64_t offset;	 /* in its .debug_info */
};

static inline const struct dwarf_value *dwarf_value(const struct dwarf_values *values,
						    enum dwarf_slot slot)
{
	return values->present & UINT32_C(1) << slot ? &values->slots[slot] : NULL;
}

enum dwarf_slot dwarf_slot_of(uint64_t attribute);

/* The size of a value of @form, or DWARF_VARIABLE. */
#define DWARF_VARIABLE 0xff
uint8_t dwarf_form_size(const struct dwarf_unit *unit, uint64_t form);

/* Reads (or skips) one value; the reader fails on a form that is not known. */
void dwarf_form_read(const struct dwarf_unit *unit, struct reader *reader, uint64_t form,
		     int64_t implicit, struct dwarf_value *ret_value);
void dwarf_form_skip(const struct dwarf_unit *unit, struct reader *reader, uint64_t form);

/* What a value means in its unit. NULL may be passed for a value and means nothing. */
const char *dwarf_value_string(struct dwarf_unit *unit, const struct dwarf_value *value);
bool dwarf_value_address(struct dwarf_unit *unit, const struct dwarf_value *value,
			 uint64_t *ret_address);
struct dwarf_die dwarf_value_die(struct dwarf_unit *unit, const struct dwarf_value *value);

/* The address at @index of .debug_addr, where the unit's addresses are. */
bool dwarf_indexed_address(struct dwarf_unit *unit, uint64_t index, uint64_t *ret_address);
