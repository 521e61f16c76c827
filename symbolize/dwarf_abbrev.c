/* SPDX-License-Identifier: MIT */
/* Tables of abbreviations, digested so that DIEs of no interest are skipped in few steps. */

#include "symbolize/dwarf_abbrev.h"

#include <dwarf.h>
#include <stdlib.h>

struct declaration {
	uint64_t code, tag;
	bool has_children;
};

struct attribute {
	uint64_t name, form;
	int64_t implicit;
};

/* False at the end of the table. */
static bool read_declaration(struct reader *reader, struct declaration *ret_declaration)
{
	ret_declaration->code = reader_uleb(reader);
	if (ret_declaration->code == 0)
		return false;
	ret_declaration->tag = reader_uleb(reader);
	ret_declaration->has_children = reader_u8(reader) != 0;
	return !reader->failed;
}

/* False at the end of the declaration. */
static bool read_attribute(struct reader *reader, struct attribute *ret_attribute)
{
	ret_attribute->name = reader_uleb(reader);
	ret_attribute->form = reader_uleb(reader);
	ret_attribute->implicit =
		ret_attribute->form == DW_FORM_implicit_const ? reader_sleb(reader) : 0;
	return !reader->failed && (ret_attribute->name || ret_attribute->form);
}

static void count_table(struct reader reader, size_t *ret_declarations, size_t *ret_attributes)
{
	struct declaration declaration;
	struct attribute attribute;

	*ret_declarations = *ret_attributes = 0;
	while (read_declaration(&reader, &declaration)) {
		++*ret_declarations;
		while (read_attribute(&reader, &attribute))
			++*ret_attributes;
	}
}

static void digest_attribute(const struct dwarf_unit *unit, const struct attribute *attribute,
			     struct dwarf_abbrev *abbrev, struct dwarf_abbrev_attr *attr)
{
	*attr = (struct dwarf_abbrev_attr){
		.form = attribute->form <= UINT16_MAX ? (uint16_t)attribute->form : 0,
		.slot = (uint8_t)dwarf_slot_of(attribute->name),
		.size = dwarf_form_size(unit, attribute->form),
		.implicit = attribute->implicit,
	};
	abbrev->count++;
	abbrev->has_sibling |= attr->slot == DWARF_SIBLING;
	if (attr->size == DWARF_VARIABLE)
		abbrev->fixed_size = UINT32_MAX;
	else if (abbrev->fixed_size != UINT32_MAX)
		abbrev->fixed_size += attr->size;
}

static void fill_table(const struct dwarf_unit *unit, struct reader reader,
		       struct dwarf_abbrevs *table)
{
	struct declaration declaration;
	struct attribute attribute;
	uint32_t used = 0;

	for (size_t i = 0; i < table->count; i++) {
		struct dwarf_abbrev *abbrev = &table->items[i];

		read_declaration(&reader, &declaration);
		*abbrev = (struct dwarf_abbrev){
			.code = declaration.code,
			.tag = (uint16_t)declaration.tag,
			.has_children = declaration.has_children,
			.first = used,
		};
		while (read_attribute(&reader, &attribute))
			digest_attribute(unit, &attribute, abbrev, &table->attrs[used++]);
	}
}

static int compare_codes(const void *a, const void *b)
{
	const struct dwarf_abbrev *one = a, *other = b;

	return one->code < other->code ? -1 : one->code > other->code;
}

static struct dwarf_abbrevs *read_table(struct dwarf_unit *unit)
{
	struct dwarf *dwarf = unit->dwarf;
	struct reader reader = dwarf_reader(dwarf, DWARF_ABBREV, unit->abbrev_offset);
	struct dwarf_abbrevs *table = arena_alloc(&dwarf->arena, sizeof(*table));
	size_t attributes;

	if (!table || reader.failed)
		return NULL;
	table->offset = unit->abbrev_offset;
	table->address_size = unit->address_size;
	table->offset_size = unit->offset_size;
	table->version = (uint8_t)unit->version;
	count_table(reader, &table->count, &attributes);
	if (!dwarf_spend(dwarf, table->count + attributes))
		return NULL;
	table->items = arena_alloc(&dwarf->arena, table->count * sizeof(*table->items));
	table->attrs = arena_alloc(&dwarf->arena, attributes * sizeof(*table->attrs));
	if (!table->items || !table->attrs)
		return NULL;
	fill_table(unit, reader, table);
	qsort(table->items, table->count, sizeof(*table->items), compare_codes);
	return table;
}

const struct dwarf_abbrevs *dwarf_abbrevs_load(struct dwarf_unit *unit)
{
	struct dwarf_abbrevs *table;

	for (table = unit->dwarf->abbrevs; table; table = table->next)
		if (table->offset == unit->abbrev_offset && table->version == unit->version &&
		    table->address_size == unit->address_size &&
		    table->offset_size == unit->offset_size)
			return table;
	table = read_table(unit);
	if (!table)
		return NULL;
	table->next = unit->dwarf->abbrevs;
	unit->dwarf->abbrevs = table;
	return table;
}

const struct dwarf_abbrev *dwarf_abbrev_find(const struct dwarf_abbrevs *abbrevs, uint64_t code)
{
	const struct dwarf_abbrev key = {.code = code};

	/* Compilers number them from 1. */
	if (code - 1 < abbrevs->count && abbrevs->items[code - 1].code == code)
		return &abbrevs->items[code - 1];
	return bsearch(&key, abbrevs->items, abbrevs->count, sizeof(key), compare_codes);
}

void dwarf_abbrev_read(const struct dwarf_unit *unit, const struct dwarf_abbrevs *abbrevs,
		       const struct dwarf_abbrev *abbrev, struct reader *reader,
		       struct dwarf_values *ret_values)
{
	const struct dwarf_abbrev_attr *attrs = abbrevs->attrs + abbrev->first;

	ret_values->present = 0;
	for (uint32_t i = 0; i < abbrev->count; i++) {
		if (attrs[i].slot == DWARF_NO_SLOT) {
			if (attrs[i].size != DWARF_VARIABLE)
				reader_skip(reader, attrs[i].size);
			else
				dwarf_form_skip(unit, reader, attrs[i].form);
			continue;
		}
		dwarf_form_read(unit, reader, attrs[i].form, attrs[i].implicit,
				&ret_values->slots[attrs[i].slot]);
		ret_values->present |= UINT32_C(1) << attrs[i].slot;
	}
	if (reader->failed)
		ret_values->present = 0;
}

uint64_t dwarf_sibling(const struct dwarf_unit *unit, const struct dwarf_values *values)
{
	const struct dwarf_value *value = dwarf_value(values, DWARF_SIBLING);

	/* Always relative to the unit, whatever the size. */
	return value && value->form != DW_FORM_ref_addr ? unit->offset + value->number : 0;
}

uint64_t dwarf_abbrev_skip(const struct dwarf_unit *unit, const struct dwarf_abbrevs *abbrevs,
			   const struct dwarf_abbrev *abbrev, struct reader *reader)
{
	const struct dwarf_abbrev_attr *attrs = abbrevs->attrs + abbrev->first;
	uint64_t sibling = 0;

	if (!abbrev->has_sibling && abbrev->fixed_size != UINT32_MAX) {
		reader_skip(reader, abbrev->fixed_size);
		return 0;
	}
	for (uint32_t i = 0; i < abbrev->count; i++) {
		struct dwarf_value value;

		if (attrs[i].slot == DWARF_SIBLING && attrs[i].form != DW_FORM_ref_addr) {
			dwarf_form_read(unit, reader, attrs[i].form, 0, &value);
			sibling = unit->offset + value.number;
		} else if (attrs[i].size != DWARF_VARIABLE) {
			reader_skip(reader, attrs[i].size);
		} else {
			dwarf_form_skip(unit, reader, attrs[i].form);
		}
	}
	return sibling;
}

bool dwarf_abbrev_read_root(struct dwarf_unit *unit, uint16_t *ret_tag,
			    struct dwarf_values *ret_values)
{
	struct reader table = dwarf_reader(unit->dwarf, DWARF_ABBREV, unit->abbrev_offset);
	struct reader reader = dwarf_reader(unit->dwarf, DWARF_INFO, unit->root);
	const uint64_t code = reader_uleb(&reader);
	struct declaration declaration;
	struct attribute attribute;

	do {
		if (!read_declaration(&table, &declaration) || !dwarf_spend(unit->dwarf, 1))
			return false;
		while (declaration.code != code && read_attribute(&table, &attribute))
			if (!dwarf_spend(unit->dwarf, 1))
				return false;
	} while (declaration.code != code);
	ret_values->present = 0;
	while (read_attribute(&table, &attribute)) {
		const enum dwarf_slot slot = dwarf_slot_of(attribute.name);
		struct dwarf_value value;

		dwarf_form_read(unit, &reader, attribute.form, attribute.implicit, &value);
		if (slot == DWARF_NO_SLOT)
			continue;
		ret_values->slots[slot] = value;
		ret_values->present |= UINT32_C(1) << slot;
	}
	*ret_tag = (uint16_t)declaration.tag;
	return !reader.failed && !table.failed;
}
