/* SPDX-License-Identifier: MIT */
/* Reading DIEs one by one. */

#include "symbolize/dwarf_die.h"

/* A reader of the unit's DIEs, at @offset; failed when that is outside. */
static struct reader unit_reader(struct dwarf_unit *unit, uint64_t offset, const uint8_t **ret_info)
{
	struct reader reader = dwarf_reader(unit->dwarf, DWARF_INFO, 0);

	*ret_info = reader.at;
	if (reader.failed || reader_left(&reader) < unit->end || offset < unit->root ||
	    offset >= unit->end) {
		reader_fail(&reader);
		return reader;
	}
	reader.end = reader.at + unit->end;
	reader.at += offset;
	return reader;
}

/* The abbreviation of the DIE at the reader, which moves to its attributes. */
static const struct dwarf_abbrev *next_abbrev(const struct dwarf_abbrevs *abbrevs,
					      struct reader *reader)
{
	const uint64_t code = reader_uleb(reader);

	return code ? dwarf_abbrev_find(abbrevs, code) : NULL;
}

bool dwarf_die_read(struct dwarf_die die, uint16_t *ret_tag, struct dwarf_values *ret_values)
{
	const struct dwarf_abbrevs *abbrevs = dwarf_abbrevs_load(die.unit);
	const uint8_t *info;
	struct reader reader = unit_reader(die.unit, die.offset, &info);
	const struct dwarf_abbrev *abbrev = abbrevs ? next_abbrev(abbrevs, &reader) : NULL;

	if (!abbrev)
		return false;
	dwarf_abbrev_read(die.unit, abbrevs, abbrev, &reader, ret_values);
	*ret_tag = abbrev->tag;
	return !reader.failed;
}

static void jump(struct reader *reader, const uint8_t *info, uint64_t offset)
{
	if (offset > (uint64_t)(reader->at - info) && offset <= (uint64_t)(reader->end - info))
		reader->at = info + offset;
	else
		reader_fail(reader);
}

void dwarf_skip_children(const struct dwarf_unit *unit, const struct dwarf_abbrevs *abbrevs,
			 struct reader *reader, const uint8_t *info, uint64_t sibling)
{
	unsigned depth = 1;

	if (sibling) {
		jump(reader, info, sibling);
		return;
	}
	while (depth && reader_left(reader)) {
		const uint64_t code = reader_uleb(reader);
		const struct dwarf_abbrev *abbrev;

		if (code == 0) {
			depth--;
			continue;
		}
		abbrev = dwarf_abbrev_find(abbrevs, code);
		if (!abbrev) {
			reader_fail(reader);
			return;
		}
		sibling = dwarf_abbrev_skip(unit, abbrevs, abbrev, reader);
		if (abbrev->has_children && sibling)
			jump(reader, info, sibling);
		else
			depth += abbrev->has_children;
	}
}

void dwarf_children_begin(struct dwarf_die die, struct dwarf_children *ret_children)
{
	struct dwarf_children children = {.unit = die.unit,
					  .abbrevs = dwarf_abbrevs_load(die.unit)};
	const struct dwarf_abbrev *abbrev;

	children.reader = unit_reader(die.unit, die.offset, &children.info);
	abbrev = children.abbrevs ? next_abbrev(children.abbrevs, &children.reader) : NULL;
	if (abbrev && abbrev->has_children)
		dwarf_abbrev_skip(die.unit, children.abbrevs, abbrev, &children.reader);
	else
		reader_fail(&children.reader);
	*ret_children = children;
}

bool dwarf_children_next(struct dwarf_children *children, struct dwarf_child *ret_child)
{
	const uint64_t offset = (uint64_t)(children->reader.at - children->info);
	const struct dwarf_abbrev *abbrev;

	if (children->reader.failed)
		return false;
	abbrev = next_abbrev(children->abbrevs, &children->reader);
	if (!abbrev)
		return false;
	ret_child->die = (struct dwarf_die){children->unit, offset};
	ret_child->tag = abbrev->tag;
	dwarf_abbrev_read(children->unit, children->abbrevs, abbrev, &children->reader,
			  &ret_child->values);
	if (abbrev->has_children)
		dwarf_skip_children(children->unit, children->abbrevs, &children->reader,
				    children->info,
				    dwarf_sibling(children->unit, &ret_child->values));
	return dwarf_spend(children->unit->dwarf, 1);
}
