/* SPDX-License-Identifier: MIT */
/* Symbol tables, read in file order without sorting or copying: only symbols of code come out. */
#pragma once

#include "symbolize/elf_file.h"

struct symbol {
	uint64_t start;
	uint64_t end;	  /* exclusive; == .start: the table gives no size */
	uint64_t limit;	  /* where the section ends that holds .start */
	const char *name; /* in the file's string table, never NULL */
	uint8_t type;	  /* STT_ */
	uint8_t binding;  /* STB_ */
};

typedef int symbol_visitor(void *data, const struct symbol *symbol);

/*
 * Calls @visit for each symbol of code in @table (a section of type SHT_SYMTAB or SHT_DYNSYM) until
 * it returns something else than 0, which is then returned. Absolute, undefined, thread-local and
 * unnamed symbols, and those whose section does not hold them, are no code.
 */
int symtab_each(const struct elf_file *file, const struct elf_section *table, symbol_visitor *visit,
		void *data);

/* Names that assemblers make for themselves: .L3, $x, $d.12. */
bool symbol_is_marker(const struct symbol *symbol);
