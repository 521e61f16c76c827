/* SPDX-License-Identifier: MIT */
/* Walking .symtab and .dynsym. */

#include "symbolize/symtab.h"

#include <string.h>

static size_t entry_size(const struct elf_file *file)
{
	return file->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

/* Nearly all files are of this byte order and class: their entries are read at once. */
static bool is_native(const struct elf_file *file)
{
	return file->is_64 && file->big_endian == (BYTE_ORDER == BIG_ENDIAN);
}

static GElf_Sym read_foreign_entry(struct reader reader, bool is_64)
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

/* The entry at the reader, which is known to hold one. */
static GElf_Sym read_entry(const struct elf_file *file, const struct reader *reader)
{
	GElf_Sym entry;

	if (!is_native(file))
		return read_foreign_entry(*reader, file->is_64);
	memcpy(&entry, reader->at, sizeof(entry));
	return entry;
}

static bool type_can_be_code(unsigned type)
{
	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE ||
	       type == STT_OBJECT;
}

/* The section that an entry names, 0 when it names none. */
static size_t section_of(const struct symtab *table, const GElf_Sym *entry, size_t index)
{
	struct reader reader = reader_of(table->section_indices, table->file->big_endian);

	if (entry->st_shndx < SHN_LORESERVE)
		return entry->st_shndx;
	if (entry->st_shndx != SHN_XINDEX)
		return SHN_UNDEF;
	reader_skip(&reader, index * sizeof(Elf32_Word));
	return reader_u32(&reader);
}

static bool range_of_section(const struct elf_section *section, struct sym_range *ret_range)
{
	if (!elf_section_is_code(section))
		return false;
	ret_range->start = section->header.sh_addr;
	ret_range->end = section->header.sh_addr + section->header.sh_size;
	return true;
}

static bool range_holds(const struct sym_range *range, uint64_t address)
{
	return address >= range->start && address < range->end;
}

/* The code section around @address; the segment in a file without section headers. */
static bool code_range_at(const struct elf_file *file, uint64_t address,
			  struct sym_range *ret_range)
{
	for (size_t i = 1; i < file->section_count; i++)
		if (range_of_section(&file->sections[i], ret_range) &&
		    range_holds(ret_range, address))
			return true;
	for (size_t i = 0; i < file->segment_count && file->section_count == 0; i++) {
		const GElf_Phdr *segment = &file->segments[i];

		*ret_range =
			(struct sym_range){segment->p_vaddr, segment->p_vaddr + segment->p_memsz};
		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X &&
		    range_holds(ret_range, address))
			return true;
	}
	return false;
}

/* A symbol in .opd is a descriptor; the code is where its first word points. */
static bool follow_descriptor(const struct symtab *table, GElf_Sym *entry)
{
	struct reader reader = table->descriptors;

	if (reader.failed || entry->st_value < table->descriptors_start)
		return false;
	reader_skip(&reader, entry->st_value - table->descriptors_start);
	entry->st_value = reader_u64(&reader);
	return !reader.failed;
}

/* Where the code may lie that @entry names; @entry's value becomes its address. */
static bool code_range_of(const struct symtab *table, GElf_Sym *entry, size_t index,
			  struct sym_range *ret_range)
{
	const struct elf_file *file = table->file;
	size_t section = section_of(table, entry, index);

	if (section == SHN_UNDEF)
		return false;
	if (file->section_count == 0)
		return code_range_at(file, entry->st_value, ret_range);
	if (section >= file->section_count)
		return false;
	if (range_of_section(&file->sections[section], ret_range))
		return range_holds(ret_range, entry->st_value);
	return follow_descriptor(table, entry) && code_range_at(file, entry->st_value, ret_range);
}

/* Such a symbol's version has this bit; new programs are not linked with it. */
#define VERSION_HIDDEN 0x8000

static bool is_hidden_version(const struct symtab *table, size_t index)
{
	struct reader reader = reader_of(table->versions, table->file->big_endian);

	reader_skip(&reader, index * sizeof(Elf64_Half));
	return reader_u16(&reader) & VERSION_HIDDEN;
}

static bool read_symbol(const struct symtab *table, GElf_Sym *entry, size_t index,
			struct symbol *ret_symbol)
{
	const unsigned type = GELF_ST_TYPE(entry->st_info);
	struct sym_range range;

	if (entry->st_name == 0 || entry->st_name >= table->strings.size || !type_can_be_code(type))
		return false;
	if (table->file->header.e_machine == EM_ARM && type == STT_FUNC)
		entry->st_value &= ~UINT64_C(1); /* the bit says Thumb */
	if (!code_range_of(table, entry, index, &range))
		return false;
	*ret_symbol = (struct symbol){
		.start = entry->st_value,
		.end = entry->st_size < range.end - entry->st_value
			       ? entry->st_value + entry->st_size
			       : range.end,
		.limit = range.end,
		.name = (const char *)table->strings.data + entry->st_name,
		.type = type,
		.binding = GELF_ST_BIND(entry->st_info),
		.is_old = is_hidden_version(table, index),
	};
	return true;
}

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

bool symtab_open(const struct elf_file *file, uint32_t type, struct symtab *ret_table)
{
	const struct elf_section *section = elf_file_section_of_type(file, type);
	const struct elf_section *descriptors = NULL;
	struct symtab table = {.file = file};

	if (!section || section->header.sh_link >= file->section_count)
		return false;
	table.entries = elf_file_contents(file, section);
	table.strings = terminated_strings(
		elf_file_contents(file, &file->sections[section->header.sh_link]));
	if (type == SHT_DYNSYM)
		table.versions =
			elf_file_contents(file, elf_file_section_of_type(file, SHT_GNU_versym));
	table.section_indices = section_indices_of(file, (size_t)(section - file->sections));
	if (file->header.e_machine == EM_PPC64)
		descriptors = elf_file_section(file, ".opd");
	table.descriptors = reader_of(elf_file_contents(file, descriptors), file->big_endian);
	table.descriptors_start = descriptors ? descriptors->header.sh_addr : 0;
	*ret_table = table;
	return table.entries.data && table.strings.size;
}

bool symtab_open_dynamic(const struct dynamic *dynamic, struct symtab *ret_table)
{
	*ret_table = (struct symtab){
		.file = dynamic->file,
		.entries = dynamic_symbols(dynamic),
		.strings = terminated_strings(dynamic_strings(dynamic)),
		.versions = dynamic_versions(dynamic),
		.descriptors = {.failed = true},
	};
	return ret_table->entries.data && ret_table->strings.size;
}

/*
 * Entries after which the memory of those before is given back, with that of their names: a few
 * megabytes.
 */
#define FORGET_AFTER ((1u << 19) / sizeof(Elf64_Sym))

int symtab_each(struct symtab *table, symbol_visitor *visit, void *data)
{
	const size_t size = entry_size(table->file);
	struct reader reader = reader_of(table->entries, table->file->big_endian);
	struct symbol symbol;

	for (size_t i = 0; reader_left(&reader) >= size; i++, reader_skip(&reader, size)) {
		GElf_Sym entry = read_entry(table->file, &reader);
		int r;

		table->bad_names += entry.st_name >= table->strings.size;
		if (i % FORGET_AFTER == FORGET_AFTER - 1)
			elf_file_forget(table->file);
		if (!read_symbol(table, &entry, i, &symbol))
			continue;
		r = visit(data, &symbol);
		if (r != 0)
			return r;
	}
	return 0;
}

const char *symtab_name(const struct symtab *table, uint64_t index)
{
	const size_t size = entry_size(table->file);
	struct reader reader = reader_of(table->entries, table->file->big_endian);
	GElf_Sym entry;

	if (index >= table->entries.size / size)
		return NULL;
	reader_skip(&reader, index * size);
	entry = read_entry(table->file, &reader);
	if (entry.st_name == 0 || entry.st_name >= table->strings.size)
		return NULL;
	return (const char *)table->strings.data + entry.st_name;
}

bool symbol_is_marker(const struct symbol *symbol)
{
	const char *name = symbol->name;

	if (name[0] == '.' && name[1] == 'L')
		return true;
	return symbol->type == STT_NOTYPE && name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
	       (name[2] == '\0' || name[2] == '.' || strncmp(name, "$xrv", 4) == 0);
}
