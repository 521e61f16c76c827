/* SPDX-License-Identifier: MIT */
/*
 * What is declared in what: DIEs do not tell their parents, so that one scan over a unit notes the
 * namespaces, classes and functions that others are declared in.
 */
#pragma once

#include "symbolize/dwarf_attr.h"

struct dwarf_scope {
	uint64_t start, end; /* of the DIE with its children, in .debug_info */
	uint32_t parent;     /* index of the scope around it, or DWARF_NO_SCOPE */
	uint32_t depth;	     /* of the DIE */
	uint16_t tag;
};

#define DWARF_NO_SCOPE UINT32_MAX

struct dwarf_scopes {
	struct dwarf_scope *items; /* by .start */
	size_t count, capacity;
};

/* The scopes of @unit, found once; NULL when memory ran out. */
const struct dwarf_scopes *dwarf_scopes_load(struct dwarf_unit *unit);
void dwarf_scopes_free(struct dwarf_scopes *scopes);

/* The index of the innermost scope around the DIE at @offset, not itself, or DWARF_NO_SCOPE. */
uint32_t dwarf_scope_around(const struct dwarf_scopes *scopes, uint64_t offset);
