/* SPDX-License-Identifier: MIT */
/* Reading .debug_cu_index, of GNU's packages (version 2) and of DWARF 5. */

#include "symbolize/dwarf_package.h"

#include "symbolize/util.h"

struct index {
	uint32_t version, columns, units, slots;
	struct reader signatures, rows, table; /* .table: headings, then offsets, then sizes */
};

/* Identifiers of sections, which differ between the versions; others have no part in this. */
static const struct {
	uint32_t version, column;
	enum dwarf_section section;
} columns[] = {
	{2, 1, DWARF_INFO},	   {2, 3, DWARF_ABBREV},      {2, 4, DWARF_LINE},
	{2, 6, DWARF_STR_OFFSETS}, {5, 1, DWARF_INFO},	      {5, 3, DWARF_ABBREV},
	{5, 4, DWARF_LINE},	   {5, 6, DWARF_STR_OFFSETS}, {5, 8, DWARF_RNGLISTS},
};

static bool read_index(struct dwarf *dwarf, struct index *index)
{
	const struct elf_section *section = elf_file_section(dwarf->file, ".debug_cu_index");
	struct reader reader =
		reader_of(elf_file_contents(dwarf->file, section), dwarf->file->big_endian);
	struct reader start = reader;

	index->version = reader_u32(&reader);
	if (index->version != 2) {
		index->version = reader_u16(&start);
		if (index->version != 5)
			return false;
	}
	index->columns = reader_u32(&reader);
	index->units = reader_u32(&reader);
	index->slots = reader_u32(&reader);
	index->signatures = reader;
	reader_skip(&reader, (uint64_t)index->slots * 8);
	index->rows = reader;
	reader_skip(&reader, (uint64_t)index->slots * 4);
	index->table = reader;
	return !reader.failed;
}

/* The number of the row, counted from 1, or 0; the index is a hash table of 2^n slots. */
static uint32_t find_row(const struct index *index, uint64_t id)
{
	const uint64_t mask = (uint64_t)index->slots - 1;
	uint64_t slot = id & mask;

	if (index->slots == 0 || index->slots & mask)
		return 0;
	for (uint32_t tries = 0; tries < index->slots; tries++) {
		struct reader signature = index->signatures, number = index->rows;
		uint32_t row;

		reader_skip(&signature, slot * 8);
		reader_skip(&number, slot * 4);
		row = reader_u32(&number);
		if (row == 0 || row > index->units)
			return 0;
		if (reader_u64(&signature) == id)
			return row;
		slot = (slot + ((id >> 32 & mask) | 1)) & mask;
	}
	return 0;
}

static uint32_t cell(const struct index *index, uint64_t row, uint32_t column)
{
	struct reader reader = index->table;

	reader_skip(&reader, (row * index->columns + column) * 4);
	return reader_u32(&reader);
}

static void narrow(struct dwarf *dwarf, enum dwarf_section section, uint32_t offset, uint32_t size)
{
	struct bytes bytes = dwarf_bytes(dwarf, section);

	if (offset > bytes.size || size > bytes.size - offset)
		bytes = (struct bytes){NULL, 0};
	else
		bytes = (struct bytes){bytes.data + offset, size};
	dwarf->sections[section] = bytes;
}

bool package_select(struct dwarf *dwarf, uint64_t id)
{
	struct index index;
	uint32_t row;

	if (!read_index(dwarf, &index))
		return false;
	row = find_row(&index, id);
	if (row == 0)
		return false;
	for (uint32_t column = 0; column < index.columns && column < 16; column++) {
		const uint32_t heading = cell(&index, 0, column);

		for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
			if (columns[i].version == index.version && columns[i].column == heading)
				narrow(dwarf, columns[i].section, cell(&index, row, column),
				       cell(&index, (uint64_t)index.units + row, column));
	}
	return true;
}
