/* SPDX-License-Identifier: MIT */
/* Sections by their names, in all the ways in which they are called. */

#include "symbolize/dwarf_data.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbolize/dwarf_alternate.h"
#include "symbolize/dwarf_scopes.h"
#include "symbolize/inflate_many.h"
#include "symbolize/util.h"

static const char *const section_names[DWARF_SECTIONS] = {
	[DWARF_INFO] = "info",	       [DWARF_ABBREV] = "abbrev",
	[DWARF_LINE] = "line",	       [DWARF_LINE_STR] = "line_str",
	[DWARF_STR] = "str",	       [DWARF_STR_OFFSETS] = "str_offsets",
	[DWARF_ADDR] = "addr",	       [DWARF_RANGES] = "ranges",
	[DWARF_RNGLISTS] = "rnglists", [DWARF_ARANGES] = "aranges",
};

struct dwarf *dwarf_types(struct dwarf *dwarf)
{
	if (dwarf->types_known || dwarf->is_types)
		return dwarf->types;
	dwarf->types_known = true;
	dwarf->types = malloc(sizeof(*dwarf->types));
	if (!dwarf->types)
		return NULL;
	*dwarf->types = (struct dwarf){.file = dwarf->file,
				       .is_split = dwarf->is_split,
				       .is_types = true,
				       .notes = dwarf->notes};
	dwarf_refill(dwarf->types);
	return dwarf->types;
}

/* A sane file is gone through a few times at most; a small one costs less than a second anyway. */
void dwarf_refill(struct dwarf *dwarf)
{
	static const enum dwarf_section sections[] = {DWARF_INFO, DWARF_ABBREV, DWARF_RANGES,
						      DWARF_RNGLISTS};

	dwarf->budget = UINT64_C(1) << 26;
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		dwarf->budget += 16 * (uint64_t)dwarf_bytes(dwarf, sections[i]).size;
	if (dwarf->types)
		dwarf_refill(dwarf->types);
	if (dwarf->alternate)
		dwarf_refill(dwarf->alternate);
}

void dwarf_done(struct dwarf *dwarf)
{
	dwarf_alternate_close(dwarf);
	if (dwarf->types)
		dwarf_done(dwarf->types);
	free(dwarf->types);
	arena_done(&dwarf->arena);
	for (size_t i = 0; i < dwarf->unit_count; i++)
		dwarf_scopes_free(dwarf->units[i].scopes);
	free(dwarf->units);
	free(dwarf->names.items);
	free(dwarf->type_units);
	dwarf->units = NULL;
}

static const struct elf_section *find_section(const struct dwarf *dwarf, const char *name)
{
	static const char *const prefixes[] = {".debug", ".zdebug"};
	char full[32];

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		const struct elf_section *section;

		snprintf(full, sizeof(full), "%s_%s%s", prefixes[i], name,
			 dwarf->is_split ? ".dwo" : "");
		section = elf_file_section(dwarf->file, full);
		if (section)
			return section;
	}
	return NULL;
}

static const struct elf_section *section_of(const struct dwarf *dwarf, enum dwarf_section id)
{
	return find_section(dwarf,
			    id == DWARF_INFO && dwarf->is_types ? "types" : section_names[id]);
}

/* What every question needs. */
static void inflate_all(const struct dwarf *dwarf)
{
	static const enum dwarf_section needed[] = {DWARF_INFO, DWARF_STR, DWARF_LINE,
						    DWARF_RNGLISTS};
	const struct elf_section *sections[ARRAY_SIZE(needed)];

	for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
		sections[i] = section_of(dwarf, needed[i]);
	inflate_many(dwarf->file, sections, ARRAY_SIZE(needed));
}

void dwarf_init(struct dwarf *dwarf, const struct elf_file *file, bool is_split,
		struct notes *notes)
{
	*dwarf = (struct dwarf){.file = file, .is_split = is_split, .notes = notes};
	inflate_all(dwarf);
	dwarf_refill(dwarf);
}

struct bytes dwarf_bytes(struct dwarf *dwarf, enum dwarf_section id)
{
	const struct elf_section *section;

	if (dwarf->loaded[id])
		return dwarf->sections[id];
	dwarf->loaded[id] = true;
	section = section_of(dwarf, id);
	dwarf->sections[id] = elf_file_contents(dwarf->file, section);
	if (section && section->inflate_error)
		notes_add(dwarf->notes, "%s of '%s' is not used: %s", section->name,
			  dwarf->file->path,
			  section->inflate_error == -ENOTSUP ? "its compression is not known"
							     : "it is damaged");
	return dwarf->sections[id];
}

struct reader dwarf_reader(struct dwarf *dwarf, enum dwarf_section section, uint64_t offset)
{
	struct reader reader = reader_of(dwarf_bytes(dwarf, section), dwarf->file->big_endian);

	reader_skip(&reader, offset);
	return reader;
}
