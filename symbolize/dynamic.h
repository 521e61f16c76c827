/* SPDX-License-Identifier: MIT */
/*
 * What the dynamic linker is told (PT_DYNAMIC): symbols and relocations of a file, found by
 * addresses in memory, so that it needs no section headers.
 */
#pragma once

#include "symbolize/elf_file.h"

struct dynamic {
	const struct elf_file *file;
	uint64_t values[DT_NUM]; /* by tag; 0: not there */
	uint64_t gnu_hash, versions;
};

struct relocation {
	uint64_t offset; /* the link-time address that it fills */
	uint32_t type;
	uint32_t symbol; /* index into the dynamic symbols */
	uint64_t addend; /* 0 where it stands in the filled place */
};

typedef int relocation_visitor(void *data, const struct relocation *relocation);

/* False when the file has no usable dynamic section. */
bool dynamic_load(const struct elf_file *file, struct dynamic *ret_dynamic);

/* The dynamic symbols and their names; the hash tables tell how many there are. */
struct bytes dynamic_symbols(const struct dynamic *dynamic);
struct bytes dynamic_strings(const struct dynamic *dynamic);

/* The version of each symbol, if there are any; more than there are symbols may follow. */
struct bytes dynamic_versions(const struct dynamic *dynamic);

/* Calls @visit until it returns something else than 0, which is then returned. */
int dynamic_each_plt_relocation(const struct dynamic *dynamic, relocation_visitor *visit,
				void *data);
int dynamic_each_relocation(const struct dynamic *dynamic, relocation_visitor *visit, void *data);

/* The relocations of a section of type SHT_REL or SHT_RELA. */
int relocations_each(const struct elf_file *file, const struct elf_section *section,
		     relocation_visitor *visit, void *data);
