/* SPDX-License-Identifier: MIT */
/* Symbol tables, read in file order without sorting or copying: only symbols of code come out. */
#pragma once

#include "symbolize/dynamic.h"

struct symbol {
	uint64_t start;
	uint64_t end;	  /* exclusive; == .start: the table gives no size */
	uint64_t limit;	  /* where the section ends that holds .start */
	const char *name; /* NULL: a function of which only the place is known */
	uint8_t type;	  /* STT_ */
	uint8_t binding;  /* STB_ */
	bool is_old;	  /* of a version that only programs linked long ago use */
};

typedef int symbol_visitor(void *data, const struct symbol *symbol);

struct symtab {
	const struct elf_file *file;
	struct bytes entries;
	struct bytes strings;	      /* every string in it is terminated */
	size_t bad_names;	      /* names outside of it, met by symtab_each() */
	struct bytes versions;	      /* of dynamic symbols, 16 bits each */
	struct bytes section_indices; /* for tables of files with more than 65,279 sections */
	struct reader descriptors;    /* .opd of 64-bit PowerPC's first ABI; failed: none */
	uint64_t descriptors_start;
};

/* The table in the section of @type, SHT_SYMTAB or SHT_DYNSYM; false when there is none. */
bool symtab_open(const struct elf_file *file, uint32_t type, struct symtab *ret_table);

/* The dynamic symbols of a file without section headers. */
bool symtab_open_dynamic(const struct dynamic *dynamic, struct symtab *ret_table);

/*
 * Calls @visit for each symbol of code until it returns something else than 0, which is then
 * returned. Absolute, undefined, thread-local and unnamed symbols, and those whose section does not
 * hold them, are no code.
 */
int symtab_each(struct symtab *table, symbol_visitor *visit, void *data);

/* The name of the entry, whatever it is; NULL when there is none. */
const char *symtab_name(const struct symtab *table, uint64_t index);

/* Names that assemblers make for themselves: .L3, $x, $d.12. */
bool symbol_is_marker(const struct symbol *symbol);
