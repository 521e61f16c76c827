/* SPDX-License-Identifier: MIT */
/* Single DIEs and their children, for what is looked up here and there. */
#pragma once

#include "symbolize/dwarf_abbrev.h"

/* Reads one DIE; false when there is none at that place. */
bool dwarf_die_read(struct dwarf_die die, uint16_t *ret_tag, struct dwarf_values *ret_values);

/* Moves @reader, which ends with the unit, behind the children that start there. */
void dwarf_skip_children(const struct dwarf_unit *unit, const struct dwarf_abbrevs *abbrevs,
			 struct reader *reader, const uint8_t *info, uint64_t sibling);

struct dwarf_children {
	struct dwarf_unit *unit;
	const struct dwarf_abbrevs *abbrevs;
	struct reader reader;
	const uint8_t *info;
};

struct dwarf_child {
	struct dwarf_die die;
	uint16_t tag;
	struct dwarf_values values;
};

/* Goes through the children of @die; false after the last. */
void dwarf_children_begin(struct dwarf_die die, struct dwarf_children *ret_children);
bool dwarf_children_next(struct dwarf_children *children, struct dwarf_child *ret_child);
