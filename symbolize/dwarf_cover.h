/* SPDX-License-Identifier: MIT */
/* Which units cover which addresses. */
#pragma once

#include "symbolize/dwarf_units.h"

struct dwarf_cover {
	struct dwarf_cover_item {
		struct dwarf_unit *unit;
		size_t address; /* its index */
	} * items;		/* by unit, then by address */
	size_t count, capacity;
};

/*
 * From the ranges that the root DIEs tell. Nothing relies on .debug_aranges: clang and rustc do not
 * write it, and all roots of 4,000 units are read in a millisecond; it is asked for what these
 * leave uncovered. Addresses that it does not know either are given to the units that have lines
 * but do not tell where. 0 or -ENOMEM; dwarf_cover_done() in any case.
 */
int dwarf_cover_find(struct dwarf *dwarf, const uint64_t *addresses, size_t count,
		     struct dwarf_cover *ret_cover);
void dwarf_cover_done(struct dwarf_cover *cover);
