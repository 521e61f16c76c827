/* SPDX-License-Identifier: MIT */
/*
 * What dlsym(RTLD_NEXT) does, by the dynamic linker's list of objects, as debuggers read it. A
 * program, or another preload, may have a dlsym() of its own: what that finds next is next to it,
 * which may be us.
 */

#include "libsample/next.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VERSION_HIDDEN 0x8000 /* not the default one of its name */

/* No library more is needed for it. */
#pragma weak _r_debug

struct symbols {
	uintptr_t bias;
	const ElfW(Sym) * table;
	const char *names;
	const ElfW(Versym) * versions; /* NULL: none */
	const uint32_t *gnu_hash, *hash;
};

static const void *address_of(const struct link_map *object, ElfW(Addr) value)
{
	/* Where the section may be written, the dynamic linker has made addresses of its values. */
	return (const void *)(value < object->l_addr ? value + object->l_addr : value);
}

static void find_symbols(const struct link_map *object, struct symbols *ret_symbols)
{
	const void *parts[DT_NUM] = {NULL}, *gnu_hash = NULL, *versions = NULL;

	for (const ElfW(Dyn) *entry = object->l_ld; entry->d_tag != DT_NULL; entry++) {
		const void *address = address_of(object, entry->d_un.d_ptr);

		if (entry->d_tag == DT_SYMTAB || entry->d_tag == DT_STRTAB ||
		    entry->d_tag == DT_HASH)
			parts[entry->d_tag] = address;
		else if (entry->d_tag == DT_GNU_HASH)
			gnu_hash = address;
		else if (entry->d_tag == DT_VERSYM)
			versions = address;
	}
	*ret_symbols = (struct symbols){.bias = object->l_addr,
					.table = parts[DT_SYMTAB],
					.names = parts[DT_STRTAB],
					.hash = parts[DT_HASH],
					.gnu_hash = gnu_hash,
					.versions = versions};
}

static bool is_definition(const struct symbols *symbols, uint32_t index, const char *name)
{
	const ElfW(Sym) *symbol = &symbols->table[index];
	unsigned type = ELF64_ST_TYPE(symbol->st_info);

	if (symbol->st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_GNU_IFUNC) ||
	    ELF64_ST_BIND(symbol->st_info) == STB_LOCAL)
		return false;
	if (symbols->versions && symbols->versions[index] & VERSION_HIDDEN)
		return false;
	return strcmp(symbols->names + symbol->st_name, name) == 0;
}

static uint32_t gnu_hash_of(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

/* The index of a definition; 0: there is none. */
static uint32_t find_by_gnu_hash(const struct symbols *symbols, const char *name)
{
	const uint32_t *head = symbols->gnu_hash;
	uint32_t buckets = head[0], first = head[1], words = head[2], hash = gnu_hash_of(name);
	const uint32_t *bucket = head + 4 + words * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
	const uint32_t *chain = bucket + buckets;
	uint32_t index = buckets > 0 ? bucket[hash % buckets] : 0;

	for (; index >= first && index > 0; index++) {
		if ((chain[index - first] | 1) == (hash | 1) && is_definition(symbols, index, name))
			return index;
		if (chain[index - first] & 1)
			return 0;
	}
	return 0;
}

/* In the old table every symbol has a place; few objects have no other. */
static uint32_t find_by_hash(const struct symbols *symbols, const char *name)
{
	for (uint32_t index = 1; index < symbols->hash[1]; index++)
		if (is_definition(symbols, index, name))
			return index;
	return 0;
}

static void *find_in(const struct link_map *object, const char *name)
{
	struct symbols symbols;
	const ElfW(Sym) * symbol;
	uint32_t index = 0;
	uintptr_t address;

	find_symbols(object, &symbols);
	if (!symbols.table || !symbols.names)
		return NULL;
	if (symbols.gnu_hash)
		index = find_by_gnu_hash(&symbols, name);
	else if (symbols.hash)
		index = find_by_hash(&symbols, name);
	if (index == 0)
		return NULL;
	symbol = &symbols.table[index];
	address = symbols.bias + symbol->st_value;
	if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
		address = ((uintptr_t(*)(void))address)();
	return (void *)address;
}

static const struct link_map *first_object(void)
{
	return &_r_debug ? _r_debug.r_map : NULL;
}

static const struct link_map *own_object(void)
{
	const struct link_map *object = first_object();

	while (object && object->l_ld != _DYNAMIC)
		object = object->l_next;
	return object;
}

void *next_find(const char *name)
{
	const struct link_map *object = own_object();
	void *found = NULL;

	while (object && !found) {
		object = object->l_next;
		found = object ? find_in(object, name) : NULL;
	}
	return found;
}

void *next_find_in(const char *library, const char *name)
{
	for (const struct link_map *object = first_object(); object; object = object->l_next) {
		const char *slash = strrchr(object->l_name, '/');

		if (strcmp(slash ? slash + 1 : object->l_name, library) == 0)
			return find_in(object, name);
	}
	return NULL;
}

const char *next_own_path(void)
{
	const struct link_map *object = own_object();

	return object ? object->l_name : NULL;
}
