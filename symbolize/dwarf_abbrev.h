/* SPDX-License-Identifier: MIT */
/* Abbreviations: what a DIE's code says about its tag, its children and its attributes. */
#pragma once

#include "symbolize/dwarf_attr.h"

struct dwarf_abbrev_attr {
	uint16_t form;
	uint8_t slot; /* enum dwarf_slot */
	uint8_t size; /* dwarf_form_size() */
	int64_t implicit;
};

struct dwarf_abbrev {
	uint64_t code;
	uint16_t tag;
	bool has_children;
	bool has_sibling;
	uint32_t fixed_size; /* of all attributes together; UINT32_MAX: not fixed */
	uint32_t first, count;
};

struct dwarf_abbrevs {
	struct dwarf_abbrevs *next;
	uint64_t offset;
	uint8_t address_size, offset_size, version;
	struct dwarf_abbrev *items; /* by code */
	size_t count;
	struct dwarf_abbrev_attr *attrs;
};

/* The table of @unit, read once per table; NULL when it is damaged or memory ran out. */
const struct dwarf_abbrevs *dwarf_abbrevs_load(struct dwarf_unit *unit);

/* The abbreviation of @code, NULL when there is none. */
const struct dwarf_abbrev *dwarf_abbrev_find(const struct dwarf_abbrevs *abbrevs, uint64_t code);

/* Reads the attributes of one DIE, whose code was read. */
void dwarf_abbrev_read(const struct dwarf_unit *unit, const struct dwarf_abbrevs *abbrevs,
		       const struct dwarf_abbrev *abbrev, struct reader *reader,
		       struct dwarf_values *ret_values);

/* Skips them; returns the offset of the next sibling in .debug_info, 0 when it is not told. */
uint64_t dwarf_abbrev_skip(const struct dwarf_unit *unit, const struct dwarf_abbrevs *abbrevs,
			   const struct dwarf_abbrev *abbrev, struct reader *reader);

/* The sibling that @values tell, 0: none. */
uint64_t dwarf_sibling(const struct dwarf_unit *unit, const struct dwarf_values *values);

/*
 * Reads the one DIE at the start of a unit without reading its whole table: most units are only
 * asked where their code is. False when it is damaged.
 */
bool dwarf_abbrev_read_root(struct dwarf_unit *unit, uint16_t *ret_tag,
			    struct dwarf_values *ret_values);
