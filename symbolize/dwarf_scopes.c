/* SPDX-License-Identifier: MIT */
/* Scopes are noted in the order of their starts; their ends follow when they are met. */

#include "symbolize/dwarf_scopes.h"

#include <dwarf.h>
#include <stdlib.h>

#include "symbolize/dwarf_abbrev.h"

struct scan {
	struct dwarf_scopes *scopes;
	uint32_t current; /* the innermost scope that is open */
	uint32_t depth;
};

static bool is_scope(uint16_t tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_subprogram ||
	       tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_interface_type ||
	       tag == DW_TAG_enumeration_type;
}

static bool open_scope(struct scan *scan, uint64_t start, uint16_t tag)
{
	struct dwarf_scopes *scopes = scan->scopes;

	if (scopes->count == scopes->capacity) {
		size_t capacity = scopes->capacity ? 2 * scopes->capacity : 64;
		void *grown = reallocarray(scopes->items, capacity, sizeof(*scopes->items));

		if (!grown || capacity >= DWARF_NO_SCOPE)
			return false;
		scopes->items = grown;
		scopes->capacity = capacity;
	}
	scopes->items[scopes->count] = (struct dwarf_scope){.start = start,
							    .end = UINT64_MAX,
							    .parent = scan->current,
							    .depth = scan->depth,
							    .tag = tag};
	scan->current = (uint32_t)scopes->count++;
	return true;
}

/* Behind the last child of a DIE, which may have been a scope. */
static void close_scope(struct scan *scan, uint64_t end)
{
	struct dwarf_scope *scope;

	scan->depth--;
	if (scan->current == DWARF_NO_SCOPE)
		return;
	scope = &scan->scopes->items[scan->current];
	if (scope->depth != scan->depth)
		return;
	scope->end = end;
	scan->current = scope->parent;
}

static bool scan_unit(struct dwarf_unit *unit, const struct dwarf_abbrevs *abbrevs,
		      struct dwarf_scopes *scopes)
{
	struct scan scan = {.scopes = scopes, .current = DWARF_NO_SCOPE};
	struct reader reader = dwarf_reader(unit->dwarf, DWARF_INFO, 0);
	const uint8_t *info = reader.at;

	if (reader_left(&reader) < unit->end)
		return true;
	reader.end = info + unit->end;
	reader.at = info + unit->root;
	while (reader_left(&reader)) {
		const uint64_t start = (uint64_t)(reader.at - info);
		const uint64_t code = reader_uleb(&reader);
		const struct dwarf_abbrev *abbrev;

		if (code == 0) {
			if (scan.depth == 0)
				return true;
			close_scope(&scan, (uint64_t)(reader.at - info));
			continue;
		}
		abbrev = dwarf_abbrev_find(abbrevs, code);
		if (!abbrev)
			return true;
		dwarf_abbrev_skip(unit, abbrevs, abbrev, &reader);
		if (!abbrev->has_children)
			continue;
		if (is_scope(abbrev->tag) && !open_scope(&scan, start, abbrev->tag))
			return false;
		scan.depth++;
	}
	return true;
}

const struct dwarf_scopes *dwarf_scopes_load(struct dwarf_unit *unit)
{
	const struct dwarf_abbrevs *abbrevs = dwarf_abbrevs_load(unit);

	if (unit->scopes)
		return unit->scopes;
	unit->scopes = calloc(1, sizeof(*unit->scopes));
	if (unit->scopes && abbrevs && !scan_unit(unit, abbrevs, unit->scopes))
		unit->scopes->count = 0;
	return unit->scopes;
}

void dwarf_scopes_free(struct dwarf_scopes *scopes)
{
	if (scopes)
		free(scopes->items);
	free(scopes);
}

uint32_t dwarf_scope_around(const struct dwarf_scopes *scopes, uint64_t offset)
{
	size_t low = 0, high = scopes->count;
	uint32_t scope;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (scopes->items[middle].start < offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return DWARF_NO_SCOPE;
	scope = (uint32_t)(low - 1);
	while (scope != DWARF_NO_SCOPE && scopes->items[scope].end <= offset)
		scope = scopes->items[scope].parent;
	return scope;
}
