/* SPDX-License-Identifier: MIT */
/*
 * The sections of one body of DWARF (of an object, of its separate debug file, of a split or an
 * alternate file) and the units in it. Everything else about DWARF reads through these.
 *
 * Our own reader rather than libdw, because only the units that were hit are wanted, split packages
 * and zstd are, and a damaged file must cost no more than its own names; the tests compare with
 * libdw.
 */
#pragma once

#include "symbolize/arena.h"
#include "symbolize/elf_file.h"
#include "symbolize/notes.h"

enum dwarf_section {
	DWARF_INFO,
	DWARF_ABBREV,
	DWARF_LINE,
	DWARF_LINE_STR,
	DWARF_STR,
	DWARF_STR_OFFSETS,
	DWARF_ADDR,
	DWARF_RANGES,
	DWARF_RNGLISTS,
	DWARF_ARANGES,
	DWARF_SECTIONS,
};

/* Names of functions by their DIEs, see dwarf_function_name(). */
struct dwarf_names {
	struct dwarf_name {
		uint64_t offset; /* in .debug_info; 0: free */
		const char *name;
	} * items; /* a hash table */
	size_t count, capacity;
};

struct dwarf {
	const struct elf_file *file;
	struct bytes sections[DWARF_SECTIONS]; /* see dwarf_bytes() */
	bool loaded[DWARF_SECTIONS];
	bool is_split; /* sections are called .dwo */
	bool is_types; /* DWARF_INFO is .debug_types: the type units of DWARF 4 */
	bool units_known;
	struct arena arena;	  /* of what is read from here */
	struct dwarf_unit *units; /* in the order of their offsets */
	size_t unit_count;
	struct dwarf_abbrevs *abbrevs; /* those read so far */
	struct dwarf_names names;
	struct dwarf_unit **type_units; /* by signature, once one was asked for */
	size_t type_unit_count;
	struct dwarf *types; /* those in a section of their own, once one was asked for */
	bool types_known;
	struct elf_file *alternate_file;
	struct dwarf *alternate; /* what dwz(1) moved elsewhere, see dwarf_alternate() */
	bool alternate_known;
	struct notes *notes;
	/*
	 * What reading may still cost, in steps: a damaged file can make every one of many things
	 * long, and the product must not be waited for. Nothing real comes near.
	 */
	uint64_t budget;
};

struct dwarf_unit {
	struct dwarf *dwarf;
	uint64_t offset, end; /* in .debug_info; the header starts at .offset */
	uint64_t root;	      /* the first DIE */
	uint64_t abbrev_offset;
	uint16_t version;
	uint8_t type; /* DW_UT_ */
	uint8_t address_size;
	uint8_t offset_size; /* 4, or 8 in 64-bit DWARF */
	bool root_known;

	/* From the root DIE, once dwarf_unit_load() was called: */
	uint16_t tag;
	uint16_t language;
	bool has_line_program, has_ranges, has_low_pc;
	uint64_t line_program;
	uint64_t low_pc, high_pc; /* .high_pc: 0 when there is none */
	uint64_t ranges;	  /* as the attribute of form .ranges_form gives it */
	uint16_t ranges_form;
	uint64_t str_offsets_base, addr_base, ranges_base;
	uint64_t split_id; /* of a skeleton and its whole unit; of a type unit its signature */
	uint64_t type_die; /* of a type unit */
	const char *name, *directory, *split_name; /* NULL: not told */

	struct dwarf_unit *skeleton; /* of a split unit: the one in the program */
	struct dwarf_unit *split;    /* of a skeleton, once it was opened */
	bool split_known;
	struct line_header *lines; /* once they were asked for; NULL: none */
	bool lines_known;
	struct dwarf_scopes *scopes; /* once they were asked for */
};

void dwarf_init(struct dwarf *dwarf, const struct elf_file *file, bool is_split,
		struct notes *notes);
void dwarf_done(struct dwarf *dwarf);

/* What is in .debug_types; NULL when memory ran out, and for itself. */
struct dwarf *dwarf_types(struct dwarf *dwarf);

/* Gives the budget that the size of the sections allows; before every question. */
void dwarf_refill(struct dwarf *dwarf);

/* The contents of a section, inflated when it is first asked for. */
struct bytes dwarf_bytes(struct dwarf *dwarf, enum dwarf_section section);

/* A reader at @offset of a section; failed when there is no such place. */
struct reader dwarf_reader(struct dwarf *dwarf, enum dwarf_section section, uint64_t offset);

/* Takes @steps off the budget; false once it is used up. */
static inline bool dwarf_spend(struct dwarf *dwarf, uint64_t steps)
{
	if (dwarf->budget < steps)
		return false;
	dwarf->budget -= steps;
	return true;
}
