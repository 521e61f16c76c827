/* SPDX-License-Identifier: MIT */
/* A file of a few sections, made without headers: what is fuzzed is what the sections hold. */
#pragma once

#include "symbolize/elf_file.h"

/* Code is where linkers put it by default. */
#define TEXT_START 0x1000
#define TEXT_END   0x4000

/*
 * Fills @sections, which has room for @count + 2, and *ret_file: an empty one, one of code, and one
 * for each name with its part of @data, whose length stands in front of it in two bytes.
 */
void sections_make(const char *const *names, size_t count, const uint8_t *data, size_t size,
		   struct elf_section *sections, struct elf_file *ret_file);

/* Writes the named sections of the file at @path to stdout in that form. 0 or -1. */
int sections_write(const char *const *names, size_t count, const char *path);

/* Those that have DWARF in them, and how many. */
#define DWARF_NAMES                                                                              \
	{                                                                                        \
		".debug_info", ".debug_abbrev", ".debug_line", ".debug_str", ".debug_line_str",  \
			".debug_ranges", ".debug_rnglists", ".debug_addr", ".debug_str_offsets", \
			".debug_aranges", ".debug_types"                                         \
	}
