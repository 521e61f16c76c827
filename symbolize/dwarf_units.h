/* SPDX-License-Identifier: MIT */
/* The units of .debug_info: all headers at once, the root DIEs of those that are looked at. */
#pragma once

#include "symbolize/dwarf_attr.h"

/* Reads all headers, once; what comes after a damaged one is not known. 0 or -ENOMEM. */
int dwarf_units_load(struct dwarf *dwarf);

/* The unit that holds @offset of .debug_info, or NULL. */
struct dwarf_unit *dwarf_unit_at(struct dwarf *dwarf, uint64_t offset);

/* The unit whose header is at @offset of .debug_info, or NULL. */
struct dwarf_unit *dwarf_unit_of_header(struct dwarf *dwarf, uint64_t offset);

/* The unit of the type with that signature, or NULL. */
struct dwarf_unit *dwarf_type_unit(struct dwarf *dwarf, uint64_t signature);

/* Reads what the root DIE tells; false when it is damaged. */
bool dwarf_unit_load(struct dwarf_unit *unit);
