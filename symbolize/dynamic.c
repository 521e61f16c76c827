/* SPDX-License-Identifier: MIT */
/* Reading PT_DYNAMIC, the hash tables and relocations. */

#include "symbolize/dynamic.h"

static struct bytes dynamic_bytes(const struct elf_file *file)
{
	for (size_t i = 0; i < file->segment_count; i++) {
		const GElf_Phdr *segment = &file->segments[i];
		struct bytes bytes;

		if (segment->p_type != PT_DYNAMIC)
			continue;
		bytes = elf_file_bytes_at(file, segment->p_vaddr);
		if (bytes.size > segment->p_filesz)
			bytes.size = segment->p_filesz;
		return bytes;
	}
	return (struct bytes){NULL, 0};
}

static uint64_t read_word(struct reader *reader, const struct elf_file *file)
{
	return reader_unsigned(reader, file->is_64 ? 8 : 4);
}

bool dynamic_load(const struct elf_file *file, struct dynamic *ret_dynamic)
{
	struct reader reader = reader_of(dynamic_bytes(file), file->big_endian);
	struct dynamic dynamic = {.file = file};

	while (!reader.failed) {
		uint64_t tag = read_word(&reader, file);
		uint64_t value = read_word(&reader, file);

		if (tag == DT_NULL)
			break;
		if (tag < DT_NUM)
			dynamic.values[tag] = value;
		if (tag == DT_GNU_HASH)
			dynamic.gnu_hash = value;
		if (tag == DT_VERSYM)
			dynamic.versions = value;
	}
	if (!dynamic.values[DT_SYMTAB])
		return false;
	*ret_dynamic = dynamic;
	return true;
}

/* @size bytes at @address, or fewer when the file ends before. */
static struct bytes bytes_of(const struct dynamic *dynamic, uint64_t address, uint64_t size)
{
	struct bytes bytes = {NULL, 0};

	if (address)
		bytes = elf_file_bytes_at(dynamic->file, address);
	if (bytes.size > size)
		bytes.size = size;
	return bytes;
}

struct bytes dynamic_strings(const struct dynamic *dynamic)
{
	return bytes_of(dynamic, dynamic->values[DT_STRTAB], dynamic->values[DT_STRSZ]);
}

struct bytes dynamic_versions(const struct dynamic *dynamic)
{
	return bytes_of(dynamic, dynamic->versions, UINT64_MAX);
}

/* The second word of the old hash table is the number of symbols. */
static uint64_t count_by_hash(const struct dynamic *dynamic)
{
	struct reader reader = reader_of(bytes_of(dynamic, dynamic->values[DT_HASH], 8),
					 dynamic->file->big_endian);

	reader_u32(&reader);
	return reader_u32(&reader);
}

/* The last chain of the new one ends with the last symbol: its lowest bit is set. */
static uint64_t count_by_gnu_hash(const struct dynamic *dynamic)
{
	const struct elf_file *file = dynamic->file;
	struct reader reader =
		reader_of(bytes_of(dynamic, dynamic->gnu_hash, UINT64_MAX), file->big_endian);
	uint32_t bucket_count = reader_u32(&reader);
	uint32_t first_symbol = reader_u32(&reader);
	uint32_t bloom_size = reader_u32(&reader);
	uint32_t last = 0;

	reader_u32(&reader);
	reader_skip(&reader, (uint64_t)bloom_size * (file->is_64 ? 8 : 4));
	for (uint32_t i = 0; i < bucket_count && !reader.failed; i++) {
		uint32_t symbol = reader_u32(&reader);

		if (symbol > last)
			last = symbol;
	}
	if (last < first_symbol)
		return first_symbol;
	reader_skip(&reader, (uint64_t)(last - first_symbol) * 4);
	while (!reader.failed && !(reader_u32(&reader) & 1))
		last++;
	return reader.failed ? 0 : (uint64_t)last + 1;
}

struct bytes dynamic_symbols(const struct dynamic *dynamic)
{
	const uint64_t size = dynamic->file->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	uint64_t count = count_by_hash(dynamic);

	if (count == 0)
		count = count_by_gnu_hash(dynamic);
	return bytes_of(dynamic, dynamic->values[DT_SYMTAB], count * size);
}

static struct relocation read_relocation(struct reader *reader, const struct elf_file *file,
					 bool has_addend)
{
	struct relocation relocation = {.offset = read_word(reader, file)};
	uint64_t info = read_word(reader, file);

	relocation.type = file->is_64 ? (uint32_t)info : info & 0xff;
	relocation.symbol = (uint32_t)(file->is_64 ? info >> 32 : info >> 8);
	if (has_addend)
		relocation.addend = read_word(reader, file);
	return relocation;
}

static int each_in(const struct elf_file *file, struct bytes bytes, bool has_addend,
		   relocation_visitor *visit, void *data)
{
	struct reader reader = reader_of(bytes, file->big_endian);

	while (reader_left(&reader)) {
		struct relocation relocation = read_relocation(&reader, file, has_addend);
		int r;

		if (reader.failed)
			break;
		r = visit(data, &relocation);
		if (r != 0)
			return r;
	}
	return 0;
}

int dynamic_each_plt_relocation(const struct dynamic *dynamic, relocation_visitor *visit,
				void *data)
{
	return each_in(dynamic->file,
		       bytes_of(dynamic, dynamic->values[DT_JMPREL], dynamic->values[DT_PLTRELSZ]),
		       dynamic->values[DT_PLTREL] == DT_RELA, visit, data);
}

int dynamic_each_relocation(const struct dynamic *dynamic, relocation_visitor *visit, void *data)
{
	const uint64_t *values = dynamic->values;
	int r = each_in(dynamic->file, bytes_of(dynamic, values[DT_RELA], values[DT_RELASZ]), true,
			visit, data);

	if (r != 0)
		return r;
	return each_in(dynamic->file, bytes_of(dynamic, values[DT_REL], values[DT_RELSZ]), false,
		       visit, data);
}

int relocations_each(const struct elf_file *file, const struct elf_section *section,
		     relocation_visitor *visit, void *data)
{
	return each_in(file, elf_file_contents(file, section), section->header.sh_type == SHT_RELA,
		       visit, data);
}
