/* SPDX-License-Identifier: MIT */
/* Putting types into words, as c++filt does. */

#include "symbolize/dwarf_types.h"

#include <dwarf.h>
#include <string.h>

#include "symbolize/dwarf_die.h"
#include "symbolize/dwarf_names.h"
#include "symbolize/util.h"

#define TYPES_NESTED_MAX 16

static void append(struct dwarf_text *text, const char *more)
{
	const size_t length = more ? strlen(more) : 0;

	if (!more || text->length + length >= sizeof(text->text)) {
		text->failed = true;
		return;
	}
	memcpy(text->text + text->length, more, length + 1);
	text->length += length;
}

/* GCC's names of types whose names in C++ have several words. */
static const struct {
	const char *debug, *shown;
} base_types[] = {
	{"long unsigned int", "unsigned long"},		  {"long int", "long"},
	{"short unsigned int", "unsigned short"},	  {"short int", "short"},
	{"long long unsigned int", "unsigned long long"}, {"long long int", "long long"},
	{"__int128 unsigned", "unsigned __int128"},
};

static const char *base_type(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(base_types); i++)
		if (strcmp(name, base_types[i].debug) == 0)
			return base_types[i].shown;
	return name;
}

/* What follows the type that a type is made from. */
static const struct {
	uint16_t tag;
	const char *suffix;
} derived_types[] = {
	{DW_TAG_pointer_type, "*"},	      {DW_TAG_reference_type, "&"},
	{DW_TAG_rvalue_reference_type, "&&"}, {DW_TAG_const_type, " const"},
	{DW_TAG_volatile_type, " volatile"},  {DW_TAG_typedef, ""},
};

static const char *derived_suffix(uint16_t tag)
{
	for (size_t i = 0; i < ARRAY_SIZE(derived_types); i++)
		if (derived_types[i].tag == tag)
			return derived_types[i].suffix;
	return NULL;
}

static bool is_named_type(uint16_t tag)
{
	return tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type;
}

static struct dwarf_die type_of(struct dwarf_unit *unit, const struct dwarf_values *values)
{
	return dwarf_value_die(unit, dwarf_value(values, DWARF_TYPE));
}

static void append_type(struct dwarf_text *text, struct dwarf_die type, unsigned nested)
{
	const char *suffix;
	struct dwarf_values values;
	uint16_t tag;

	if (nested == TYPES_NESTED_MAX || !type.unit || !dwarf_die_read(type, &tag, &values)) {
		text->failed = true;
		return;
	}
	suffix = derived_suffix(tag);
	if (suffix) {
		if (dwarf_value(&values, DWARF_TYPE))
			append_type(text, type_of(type.unit, &values), nested + 1);
		else
			append(text, "void");
		append(text, suffix);
	} else if (is_named_type(tag)) {
		append(text, dwarf_qualified_name(type));
	} else if (tag == DW_TAG_base_type || tag == DW_TAG_unspecified_type) {
		append(text,
		       base_type(dwarf_value_string(type.unit, dwarf_value(&values, DWARF_NAME))));
	} else {
		text->failed = true;
	}
}

/* A parameter's own const is no part of the function's type. */
static struct dwarf_die without_const(struct dwarf_die type)
{
	struct dwarf_values values;
	uint16_t tag;

	for (unsigned i = 0; i < TYPES_NESTED_MAX && type.unit; i++) {
		if (!dwarf_die_read(type, &tag, &values) ||
		    (tag != DW_TAG_const_type && tag != DW_TAG_volatile_type))
			break;
		type = type_of(type.unit, &values);
	}
	return type;
}

/* Whether "this" points to something constant. */
static bool is_const_method(struct dwarf_die this_type)
{
	struct dwarf_die type = without_const(this_type);
	struct dwarf_values values;
	uint16_t tag;

	if (!type.unit || !dwarf_die_read(type, &tag, &values) || tag != DW_TAG_pointer_type)
		return false;
	type = type_of(type.unit, &values);
	return type.unit && dwarf_die_read(type, &tag, &values) && tag == DW_TAG_const_type;
}

bool dwarf_parameters(struct dwarf_die function, struct dwarf_text *ret_text)
{
	struct dwarf_children children;
	struct dwarf_child child;
	bool is_const = false, first = true;

	ret_text->length = 0;
	ret_text->failed = false;
	append(ret_text, "(");
	dwarf_children_begin(function, &children);
	while (dwarf_children_next(&children, &child) && !ret_text->failed) {
		const struct dwarf_die type = type_of(function.unit, &child.values);

		if (child.tag == DW_TAG_formal_parameter &&
		    dwarf_value(&child.values, DWARF_ARTIFICIAL)) {
			is_const |= is_const_method(type);
			continue;
		}
		if (child.tag != DW_TAG_formal_parameter &&
		    child.tag != DW_TAG_unspecified_parameters)
			continue;
		append(ret_text, first ? "" : ", ");
		first = false;
		if (child.tag == DW_TAG_unspecified_parameters)
			append(ret_text, "...");
		else
			append_type(ret_text, without_const(type), 0);
	}
	append(ret_text, is_const ? ") const" : ")");
	return !ret_text->failed;
}
