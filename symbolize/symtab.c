/* SPDX-License-Identifier: MIT */
/* Walking .symtab and .dynsym. */

#include "symbolize/symtab.h"

#include <string.h>

struct table {
	const struct elf_file *file;
	struct bytes strings;
	struct bytes section_indices; /* of SHT_SYMTAB_SHNDX, for more than 65,279 sections */
	struct reader descriptors;    /* .opd of 64-bit PowerPC's first ABI; failed: none */
	uint64_t descriptors_start;
};

static size_t entry_size(const struct elf_file *file)
{
	return file->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

static GElf_Sym read_entry(struct reader reader, bool is_64)
{
	GElf_Sym entry;

	entry.st_name = reader_u32(&reader);
	if (!is_64) {
		entry.st_value = reader_u32(&reader);
		entry.st_size = reader_u32(&reader);
	}
	entry.st_info = reader_u8(&reader);
	entry.st_other = reader_u8(&reader);
	entry.st_shndx = reader_u16(&reader);
	if (is_64) {
		entry.st_value = reader_u64(&reader);
		entry.st_size = reader_u64(&reader);
	}
	return entry;
}

static bool type_can_be_code(unsigned type)
{
	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE ||
	       type == STT_OBJECT;
}

static const struct elf_section *section_of(const struct table *table, const GElf_Sym *entry,
					    size_t index)
{
	const struct elf_file *file = table->file;
	size_t section = entry->st_shndx;

	if (section == SHN_XINDEX) {
		struct reader reader = reader_of(table->section_indices, file->big_endian);

		reader_skip(&reader, index * sizeof(Elf32_Word));
		section = reader_u32(&reader);
	} else if (section >= SHN_LORESERVE) {
		return NULL;
	}
	return section != SHN_UNDEF && section < file->section_count ? &file->sections[section]
								     : NULL;
}

static const struct elf_section *code_section_at(const struct elf_file *file, uint64_t address)
{
	for (size_t i = 1; i < file->section_count; i++) {
		const GElf_Shdr *header = &file->sections[i].header;

		if (elf_section_is_code(&file->sections[i]) && address >= header->sh_addr &&
		    address - header->sh_addr < header->sh_size)
			return &file->sections[i];
	}
	return NULL;
}

/* A symbol in .opd is a descriptor; the code is where its first word points. */
static const struct elf_section *follow_descriptor(const struct table *table, GElf_Sym *entry)
{
	struct reader reader = table->descriptors;

	if (reader.failed || entry->st_value < table->descriptors_start)
		return NULL;
	reader_skip(&reader, entry->st_value - table->descriptors_start);
	entry->st_value = reader_u64(&reader);
	return reader.failed ? NULL : code_section_at(table->file, entry->st_value);
}

static bool read_symbol(const struct table *table, GElf_Sym *entry, size_t index,
			struct symbol *ret_symbol)
{
	const struct elf_section *section;
	uint64_t limit;

	if (entry->st_name == 0 || entry->st_name >= table->strings.size ||
	    !type_can_be_code(GELF_ST_TYPE(entry->st_info)))
		return false;
	section = section_of(table, entry, index);
	if (!section)
		return false;
	if (!elf_section_is_code(section)) {
		section = follow_descriptor(table, entry);
		if (!section)
			return false;
	}
	if (table->file->header.e_machine == EM_ARM && GELF_ST_TYPE(entry->st_info) == STT_FUNC)
		entry->st_value &= ~UINT64_C(1); /* the bit says Thumb */
	limit = section->header.sh_addr + section->header.sh_size;
	if (entry->st_value < section->header.sh_addr || entry->st_value >= limit)
		return false;
	*ret_symbol = (struct symbol){
		.start = entry->st_value,
		.end = entry->st_size < limit - entry->st_value ? entry->st_value + entry->st_size
								: limit,
		.limit = limit,
		.name = (const char *)table->strings.data + entry->st_name,
		.type = GELF_ST_TYPE(entry->st_info),
		.binding = GELF_ST_BIND(entry->st_info),
	};
	return true;
}

/* The part of a string table in which every string is terminated. */
static struct bytes terminated_strings(struct bytes strings)
{
	const uint8_t *nul = strings.data ? memrchr(strings.data, 0, strings.size) : NULL;

	return (struct bytes){strings.data, nul ? (size_t)(nul - strings.data) + 1 : 0};
}

static struct bytes section_indices_of(const struct elf_file *file, size_t table_index)
{
	for (size_t i = 1; i < file->section_count; i++)
		if (file->sections[i].header.sh_type == SHT_SYMTAB_SHNDX &&
		    file->sections[i].header.sh_link == table_index)
			return elf_file_contents(file, &file->sections[i]);
	return (struct bytes){NULL, 0};
}

static struct table open_table(const struct elf_file *file, const struct elf_section *section)
{
	const struct elf_section *descriptors = NULL;
	struct table table = {.file = file};

	if (section->header.sh_link < file->section_count)
		table.strings = terminated_strings(
			elf_file_contents(file, &file->sections[section->header.sh_link]));
	table.section_indices = section_indices_of(file, (size_t)(section - file->sections));
	if (file->header.e_machine == EM_PPC64)
		descriptors = elf_file_section(file, ".opd");
	table.descriptors = reader_of(elf_file_contents(file, descriptors), file->big_endian);
	table.descriptors_start = descriptors ? descriptors->header.sh_addr : 0;
	return table;
}

int symtab_each(const struct elf_file *file, const struct elf_section *section,
		symbol_visitor *visit, void *data)
{
	const struct table table = open_table(file, section);
	const size_t size = entry_size(file);
	struct reader reader = reader_of(elf_file_contents(file, section), file->big_endian);
	struct symbol symbol;

	for (size_t i = 0; reader_left(&reader) >= size; i++, reader_skip(&reader, size)) {
		GElf_Sym entry = read_entry(reader, file->is_64);
		int r;

		if (!read_symbol(&table, &entry, i, &symbol))
			continue;
		r = visit(data, &symbol);
		if (r != 0)
			return r;
	}
	return 0;
}

bool symbol_is_marker(const struct symbol *symbol)
{
	const char *name = symbol->name;

	if (name[0] == '.' && name[1] == 'L')
		return true;
	return symbol->type == STT_NOTYPE && name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
	       (name[2] == '\0' || name[2] == '.' || strncmp(name, "$xrv", 4) == 0);
}
