/* SPDX-License-Identifier: MIT */
/* The ranges of code that a unit or another DIE covers, in all their encodings. */
#pragma once

#include "symbolize/dwarf_attr.h"

struct dwarf_ranges {
	struct dwarf_unit *unit;
	struct reader reader;
	uint64_t base;
	enum {
		DWARF_RANGES_END,
		DWARF_RANGES_ONE, /* .one, then the end */
		DWARF_RANGES_OLD, /* pairs, .debug_ranges */
		DWARF_RANGES_NEW, /* encoded entries, .debug_rnglists */
	} kind;
	struct sym_range one;
};

/* Whether DIEs of that kind say where code is; then *ret_ranges is ready. */
bool dwarf_ranges_of_unit(struct dwarf_unit *unit, struct dwarf_ranges *ret_ranges);
bool dwarf_ranges_of_die(struct dwarf_unit *unit, const struct dwarf_values *values,
			 struct dwarf_ranges *ret_ranges);

/* The next range that is not empty; false after the last. */
bool dwarf_ranges_next(struct dwarf_ranges *ranges, struct sym_range *ret_range);
