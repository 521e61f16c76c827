/* SPDX-License-Identifier: MIT */
/* Names of functions in DWARF. */
#pragma once

#include "symbolize/dwarf_attr.h"

/*
 * The name of the function at @offset in @unit: its linkage name where there is one, to be
 * demangled, otherwise its own name qualified by what it is declared in. NULL when there is none
 * or memory ran out. Lives in the file or in the arena of @unit's DWARF.
 */
const char *dwarf_function_name(struct dwarf_unit *unit, uint64_t offset);

/* The name of anything else, qualified; NULL when it has none. */
const char *dwarf_qualified_name(struct dwarf_die die);
