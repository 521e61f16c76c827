/* SPDX-License-Identifier: MIT */
/*
 * A function's name may stand on the DIE itself, on the abstract instance that it was made from, or
 * on the declaration in its class, which are followed in turn, also into other units. Each name is
 * put together once.
 */

#include "symbolize/dwarf_names.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/dwarf_die.h"
#include "symbolize/dwarf_scopes.h"
#include "symbolize/dwarf_types.h"
#include "symbolize/util.h"

#define REFERENCES_MAX 16
#define SCOPES_MAX     64
#define NAME_MAX_SIZE  ((size_t)64 * 1024)

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

/* What a scope without a name is called, NULL for those that then qualify nothing. */
static const char *nameless_scope(uint16_t tag)
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

/* Its own name; a function that is only a copy of another has it there. */
static const char *plain_name(struct dwarf_unit *unit, const struct dwarf_values *values)
{
	struct dwarf_values next = *values;

	for (int i = 0; i < REFERENCES_MAX; i++) {
		const char *name = dwarf_value_string(unit, dwarf_value(&next, DWARF_NAME));
		const struct dwarf_value *reference = dwarf_value(&next, DWARF_ORIGIN);
		struct dwarf_die die;
		uint16_t tag;

		if (name)
			return name;
		if (!reference)
			reference = dwarf_value(&next, DWARF_SPECIFICATION);
		die = dwarf_value_die(unit, reference);
		if (!die.unit || !dwarf_die_read(die, &tag, &next))
			return NULL;
		unit = die.unit;
	}
	return NULL;
}

/* The names of what @die is declared in, innermost first; how many there are. */
static size_t scope_names(struct dwarf_die die, const char **names, size_t max)
{
	const struct dwarf_scopes *scopes = dwarf_scopes_load(die.unit);
	uint32_t i = scopes ? dwarf_scope_around(scopes, die.offset) : DWARF_NO_SCOPE;
	size_t count = 0;

	for (; i != DWARF_NO_SCOPE && count < max; i = scopes->items[i].parent) {
		const struct dwarf_scope *scope = &scopes->items[i];
		struct dwarf_values values;
		uint16_t tag;

		if (!dwarf_die_read((struct dwarf_die){die.unit, scope->start}, &tag, &values))
			break;
		names[count] = plain_name(die.unit, &values);
		if (!names[count])
			names[count] = nameless_scope(scope->tag);
		count += names[count] != NULL;
	}
	return count;
}

static void append(char **at, const char *text)
{
	const size_t length = strlen(text);

	memcpy(*at, text, length);
	*at += length;
}

/* @name behind the scopes of @die, and before @suffix. */
static const char *qualify(struct dwarf_die die, const char *name, const char *suffix)
{
	const char *separator = separator_of(die.unit->language);
	const char *scopes[SCOPES_MAX];
	size_t size = strlen(name) + strlen(suffix) + 1;
	size_t count = is_flat(die.unit->language) ? 0 : scope_names(die, scopes, SCOPES_MAX);
	char *text, *at;

	for (size_t i = 0; i < count; i++)
		size += strlen(scopes[i]) + strlen(separator);
	if ((count == 0 && !suffix[0]) || size > NAME_MAX_SIZE)
		return name;
	text = arena_alloc(&die.unit->dwarf->arena, size);
	if (!text)
		return NULL;
	at = text;
	while (count--) {
		append(&at, scopes[count]);
		append(&at, separator);
	}
	append(&at, name);
	append(&at, suffix);
	return text;
}

const char *dwarf_qualified_name(struct dwarf_die die)
{
	const char *name = NULL;

	for (int i = 0; i < REFERENCES_MAX && die.unit; i++) {
		struct dwarf_die declaration;
		struct dwarf_values values;
		uint16_t tag;

		if (!dwarf_die_read(die, &tag, &values))
			return NULL;
		if (!name)
			name = plain_name(die.unit, &values);
		declaration = dwarf_value_die(die.unit, dwarf_value(&values, DWARF_SPECIFICATION));
		if (!declaration.unit)
			return name ? qualify(die, name, "") : NULL;
		die = declaration;
	}
	return NULL;
}

static bool is_c_plus_plus(uint16_t language)
{
	return language == DW_LANG_C_plus_plus || language == DW_LANG_C_plus_plus_03 ||
	       language == DW_LANG_C_plus_plus_11 || language == DW_LANG_C_plus_plus_14;
}

/* Debug information of lines alone has no parameters, and no declarations either. */
static bool is_declared(const struct dwarf_values *values)
{
	return dwarf_value(values, DWARF_DECLARED_LINE) || dwarf_value(values, DWARF_ARTIFICIAL);
}

/*
 * A name of which the linkage name is not told. In C++ that happens to functions that no other unit
 * can see and that were inlined everywhere; those visible are extern "C", without parameters.
 */
static const char *compose(struct dwarf_die declaration, const char *name, bool is_visible)
{
	struct dwarf_text parameters = {.length = 0};

	if (is_visible || !is_c_plus_plus(declaration.unit->language) ||
	    !dwarf_parameters(declaration, &parameters))
		parameters.text[0] = '\0';
	return qualify(declaration, name, parameters.text);
}

static const char *find_name(struct dwarf_die die)
{
	struct dwarf_die declaration = {NULL, 0};
	const char *name = NULL;
	bool is_visible = false, declared = false;

	for (int i = 0; i < REFERENCES_MAX && die.unit; i++) {
		const struct dwarf_value *reference;
		struct dwarf_values values;
		const char *own;
		uint16_t tag;

		if (!dwarf_die_read(die, &tag, &values))
			break;
		own = dwarf_value_string(die.unit, dwarf_value(&values, DWARF_LINKAGE_NAME));
		if (own)
			return own;
		own = dwarf_value_string(die.unit, dwarf_value(&values, DWARF_NAME));
		if (own && !name)
			name = own;
		is_visible |= dwarf_value(&values, DWARF_EXTERNAL) != NULL;
		declared |= is_declared(&values);
		declaration = die; /* the last one is it */
		reference = dwarf_value(&values, DWARF_ORIGIN);
		if (!reference)
			reference = dwarf_value(&values, DWARF_SPECIFICATION);
		die = dwarf_value_die(die.unit, reference);
	}
	return name ? compose(declaration, name, is_visible || !declared) : NULL;
}

/* The entry of the function at @offset in a table with a free place. */
static struct dwarf_name *find_entry(const struct dwarf_names *names, uint64_t offset)
{
	size_t i = (offset * UINT64_C(0x9e3779b97f4a7c15)) >> 32;

	for (;; i++) {
		struct dwarf_name *entry = &names->items[i & (names->capacity - 1)];

		if (!entry->offset || entry->offset == offset)
			return entry;
	}
}

static bool make_room(struct dwarf_names *names)
{
	struct dwarf_names larger = *names;

	if (names->count < names->capacity / 2)
		return true;
	larger.capacity = names->capacity ? 2 * names->capacity : 256;
	larger.items = calloc(larger.capacity, sizeof(*larger.items));
	if (!larger.items)
		return false;
	for (size_t i = 0; i < names->capacity; i++)
		if (names->items[i].offset)
			*find_entry(&larger, names->items[i].offset) = names->items[i];
	free(names->items);
	*names = larger;
	return true;
}

const char *dwarf_function_name(struct dwarf_unit *unit, uint64_t offset)
{
	struct dwarf_names *names = &unit->dwarf->names;
	struct dwarf_name *entry;

	if (!make_room(names))
		return NULL;
	entry = find_entry(names, offset);
	if (!entry->offset) {
		*entry = (struct dwarf_name){offset, find_name((struct dwarf_die){unit, offset})};
		names->count++;
	}
	return entry->name;
}
