/* SPDX-License-Identifier: MIT */
/*
 * A function's name may stand on the DIE itself, on the abstract instance that it was made from, or
 * on the declaration in its class, which are followed in turn, also into other units. DIEs do not
 * tell their parents: for a qualified name the unit is walked down to the declaration.
 */

#include "symbolize/dwarf_names.h"

#include <dwarf.h>
#include <string.h>

#include "symbolize/dwarf_abbrev.h"
#include "symbolize/util.h"

#define REFERENCES_MAX 16
#define PARENTS_MAX    64
#define NAME_MAX_SIZE  ((size_t)64 * 1024)

struct parent {
	uint16_t tag;
	unsigned depth;
	const char *name;
};

static bool read_die(struct dwarf_die die, struct dwarf_values *ret_values)
{
	const struct dwarf_abbrevs *abbrevs = dwarf_abbrevs_load(die.unit);
	struct reader reader = dwarf_reader(die.unit->dwarf, DWARF_INFO, die.offset);
	const struct dwarf_abbrev *abbrev;

	if (!abbrevs || reader.failed || die.offset < die.unit->root || die.offset >= die.unit->end)
		return false;
	reader.end -= reader_left(&reader) - (die.unit->end - die.offset);
	abbrev = dwarf_abbrev_find(abbrevs, reader_uleb(&reader));
	if (!abbrev)
		return false;
	dwarf_abbrev_read(die.unit, abbrevs, abbrev, &reader, ret_values);
	return !reader.failed;
}

/* Languages whose functions are known by their plain names. */
static bool is_flat(uint16_t language)
{
	static const uint16_t flat[] = {
		DW_LANG_C89,	   DW_LANG_C,	      DW_LANG_C99,	 DW_LANG_C11,
		DW_LANG_ObjC,	   DW_LANG_Fortran77, DW_LANG_Fortran90, DW_LANG_Fortran95,
		DW_LANG_Fortran03, DW_LANG_Fortran08, DW_LANG_Go,	 DW_LANG_Mips_Assembler,
	};

	for (size_t i = 0; i < ARRAY_SIZE(flat); i++)
		if (flat[i] == language)
			return true;
	return false;
}

static const char *separator_of(uint16_t language)
{
	return language == DW_LANG_D || language == DW_LANG_Java ? "." : "::";
}

/* What a parent without a name is called, NULL for those that no name is qualified by. */
static const char *nameless_parent(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_namespace:
		return "(anonymous namespace)";
	case DW_TAG_class_type:
		return "(anonymous class)";
	case DW_TAG_structure_type:
		return "(anonymous struct)";
	case DW_TAG_union_type:
		return "(anonymous union)";
	default:
		return NULL;
	}
}

static bool qualifies(uint16_t tag)
{
	return nameless_parent(tag) || tag == DW_TAG_module || tag == DW_TAG_subprogram ||
	       tag == DW_TAG_interface_type || tag == DW_TAG_enumeration_type;
}

/* Its own name; a function that is only a copy of another has it there. */
static const char *plain_name(struct dwarf_unit *unit, const struct dwarf_values *values)
{
	struct dwarf_values next = *values;

	for (int i = 0; i < REFERENCES_MAX; i++) {
		const char *name = dwarf_value_string(unit, dwarf_value(&next, DWARF_NAME));
		const struct dwarf_value *reference = dwarf_value(&next, DWARF_ORIGIN);
		struct dwarf_die die;

		if (name)
			return name;
		if (!reference)
			reference = dwarf_value(&next, DWARF_SPECIFICATION);
		die = dwarf_value_die(unit, reference);
		if (!die.unit || !read_die(die, &next))
			return NULL;
		unit = die.unit;
	}
	return NULL;
}

struct walk {
	struct dwarf_unit *unit;
	const struct dwarf_abbrevs *abbrevs;
	struct reader reader;
	const uint8_t *info;
	uint64_t target;
	unsigned depth;
	struct parent parents[PARENTS_MAX];
	size_t count;
};

static void enter(struct walk *walk, const struct dwarf_abbrev *abbrev,
		  const struct dwarf_values *values)
{
	struct parent *parent = &walk->parents[walk->count];

	if (!qualifies(abbrev->tag) || walk->count == PARENTS_MAX)
		return;
	*parent = (struct parent){.tag = abbrev->tag, .depth = walk->depth};
	parent->name = plain_name(walk->unit, values);
	if (!parent->name)
		parent->name = nameless_parent(abbrev->tag);
	walk->count += parent->name != NULL;
}

/* One DIE before the target: in it, or behind it. False when it is damaged. */
static bool step(struct walk *walk)
{
	const uint64_t code = reader_uleb(&walk->reader);
	const struct dwarf_abbrev *abbrev;
	struct dwarf_values values;
	uint64_t sibling;

	while (walk->count && walk->parents[walk->count - 1].depth >= walk->depth)
		walk->count--;
	if (code == 0)
		return walk->depth-- > 0;
	abbrev = dwarf_abbrev_find(walk->abbrevs, code);
	if (!abbrev)
		return false;
	dwarf_abbrev_read(walk->unit, walk->abbrevs, abbrev, &walk->reader, &values);
	if (!abbrev->has_children)
		return !walk->reader.failed;
	sibling = dwarf_sibling(walk->unit, &values);
	if (sibling && sibling <= walk->target &&
	    sibling > (uint64_t)(walk->reader.at - walk->info)) {
		walk->reader.at = walk->info + sibling;
		return true;
	}
	enter(walk, abbrev, &values);
	walk->depth++;
	return !walk->reader.failed;
}

/* Walks down to the target; false when it is not reached. */
static bool find_parents(struct dwarf_die die, struct walk *walk)
{
	*walk = (struct walk){
		.unit = die.unit,
		.abbrevs = dwarf_abbrevs_load(die.unit),
		.reader = dwarf_reader(die.unit->dwarf, DWARF_INFO, 0),
		.target = die.offset,
	};
	walk->info = walk->reader.at;
	if (!walk->abbrevs || reader_left(&walk->reader) < die.unit->end)
		return false;
	walk->reader.end = walk->info + die.unit->end;
	walk->reader.at = walk->info + die.unit->root;
	while (walk->reader.at < walk->info + walk->target)
		if (!dwarf_spend(die.unit->dwarf, 1) || !step(walk))
			return false;
	while (walk->count && walk->parents[walk->count - 1].depth >= walk->depth)
		walk->count--;
	return walk->reader.at == walk->info + walk->target;
}

static void append(char **at, const char *text)
{
	const size_t length = strlen(text);

	memcpy(*at, text, length);
	*at += length;
}

static const char *qualify(struct dwarf_die die, const char *name)
{
	const char *separator = separator_of(die.unit->language);
	size_t size = strlen(name) + 1;
	struct walk walk;
	char *text, *at;

	if (is_flat(die.unit->language) || !find_parents(die, &walk) || walk.count == 0)
		return name;
	for (size_t i = 0; i < walk.count; i++)
		size += strlen(walk.parents[i].name) + strlen(separator);
	if (size > NAME_MAX_SIZE)
		return name;
	text = arena_alloc(&die.unit->dwarf->arena, size);
	if (!text)
		return NULL;
	at = text;
	for (size_t i = 0; i < walk.count; i++) {
		append(&at, walk.parents[i].name);
		append(&at, separator);
	}
	append(&at, name);
	return text;
}

const char *dwarf_function_name(struct dwarf_unit *unit, uint64_t offset)
{
	struct dwarf_die die = {unit, offset}, named = {NULL, 0};
	const char *name = NULL;

	for (int i = 0; i < REFERENCES_MAX && die.unit; i++) {
		const struct dwarf_value *reference;
		struct dwarf_values values;
		const char *own;

		if (!read_die(die, &values))
			break;
		own = dwarf_value_string(die.unit, dwarf_value(&values, DWARF_LINKAGE_NAME));
		if (own)
			return own;
		own = dwarf_value_string(die.unit, dwarf_value(&values, DWARF_NAME));
		if (own && !name)
			name = own;
		named = die; /* the last one is the declaration */
		reference = dwarf_value(&values, DWARF_ORIGIN);
		if (!reference)
			reference = dwarf_value(&values, DWARF_SPECIFICATION);
		die = dwarf_value_die(die.unit, reference);
	}
	return name && named.unit ? qualify(named, name) : name;
}
