/* SPDX-License-Identifier: MIT */
/* Walking .eh_frame: common entries say how addresses are encoded, the others give ranges. */

#include "symbolize/unwind.h"

#include <dwarf.h>

/* What matters of one stands at its beginning; a broken file could make every one endless. */
#define COMMON_ENTRY_MAX 4096

/* Bytes after which the memory of those before is given back. */
#define FORGET_AFTER ((size_t)1 << 20)

struct section {
	const struct elf_file *file;
	struct bytes bytes;
	uint64_t address;
};

static uint64_t address_in(const struct section *section, const struct reader *reader)
{
	return section->address + (uint64_t)(reader->at - section->bytes.data);
}

static uint64_t read_plain(struct reader *reader, unsigned format, bool is_64)
{
	switch (format) {
	case DW_EH_PE_absptr:
		return reader_unsigned(reader, is_64 ? 8 : 4);
	case DW_EH_PE_uleb128:
		return reader_uleb(reader);
	case DW_EH_PE_udata2:
		return reader_u16(reader);
	case DW_EH_PE_udata4:
		return reader_u32(reader);
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return reader_u64(reader);
	case DW_EH_PE_sleb128:
		return (uint64_t)reader_sleb(reader);
	case DW_EH_PE_sdata2:
		return (uint64_t)(int16_t)reader_u16(reader);
	case DW_EH_PE_sdata4:
		return (uint64_t)(int32_t)reader_u32(reader);
	default:
		reader_fail(reader);
		return 0;
	}
}

static uint64_t read_encoded(const struct section *section, struct reader *reader,
			     unsigned encoding)
{
	const uint64_t here = address_in(section, reader);
	uint64_t value = read_plain(reader, encoding & 0x0f, section->file->is_64);

	if ((encoding & 0x70) == DW_EH_PE_pcrel)
		value += here;
	else if ((encoding & 0x70) != DW_EH_PE_absptr || encoding & DW_EH_PE_indirect)
		reader_fail(reader);
	return section->file->is_64 ? value : (uint32_t)value;
}

/* The body of the entry at the reader, which moves behind it; false at the end. */
static bool next_entry(struct reader *reader, struct reader *ret_body)
{
	uint8_t offset_size; /* of no use here: the common entry's is of 4 bytes always */
	const uint64_t length = reader_length(reader, &offset_size);

	if (length == 0 || !reader_has(reader, length))
		return false;
	*ret_body = *reader;
	ret_body->end = reader->at + length;
	reader->at += length;
	return true;
}

/* The encoding of addresses that a common entry's augmentation gives; DW_EH_PE_omit if broken. */
static unsigned read_encoding(const struct section *section, struct reader body)
{
	unsigned encoding = DW_EH_PE_absptr;
	const char *augmentation;
	unsigned version;

	if (reader_left(&body) > COMMON_ENTRY_MAX)
		body.end = body.at + COMMON_ENTRY_MAX;
	reader_u32(&body);
	version = reader_u8(&body);
	augmentation = reader_string(&body);
	if (!augmentation || augmentation[0] != 'z')
		return augmentation ? encoding : DW_EH_PE_omit;
	if (version >= 4)
		reader_skip(&body, 2);
	reader_uleb(&body);
	reader_sleb(&body);
	if (version == 1)
		reader_u8(&body);
	else
		reader_uleb(&body);
	reader_uleb(&body);
	for (const char *letter = augmentation + 1; *letter; letter++) {
		if (*letter == 'R')
			encoding = reader_u8(&body);
		else if (*letter == 'P')
			read_plain(&body, reader_u8(&body) & 0x0f, section->file->is_64);
		else if (*letter == 'L')
			reader_u8(&body);
		else if (*letter != 'S' && *letter != 'B')
			break;
	}
	return body.failed ? DW_EH_PE_omit : encoding;
}

static bool read_range(const struct section *section, struct reader body, unsigned encoding,
		       struct symbol *ret_symbol)
{
	uint64_t start, size;

	reader_u32(&body);
	start = read_encoded(section, &body, encoding);
	size = read_encoded(section, &body, encoding & 0x0f);
	if (body.failed || size == 0 || start + size < start)
		return false;
	*ret_symbol = (struct symbol){
		.start = start, .end = start + size, .limit = start + size, .type = STT_FUNC};
	return true;
}

/* Entries of one common entry mostly follow it, so that the last one read is remembered. */
static int each_entry(const struct section *section, symbol_visitor *visit, void *data)
{
	struct reader reader = reader_of(section->bytes, section->file->big_endian);
	const uint8_t *known = NULL, *remembered = reader.at;
	unsigned encoding = DW_EH_PE_omit;
	struct reader body;

	while (next_entry(&reader, &body)) {
		struct reader peek = body;
		const uint8_t *common = body.at;
		uint32_t back = reader_u32(&peek);
		struct symbol symbol;

		if ((size_t)(reader.at - remembered) > FORGET_AFTER) {
			elf_file_forget(section->file);
			remembered = reader.at;
		}
		if (back == 0 || back > (size_t)(common - section->bytes.data))
			continue;
		common -= back;
		if (common != known) {
			struct reader at = reader_of(section->bytes, section->file->big_endian);
			struct reader common_body;

			at.at = common;
			known = common;
			encoding = next_entry(&at, &common_body)
					   ? read_encoding(section, common_body)
					   : DW_EH_PE_omit;
		}
		if (encoding != DW_EH_PE_omit && read_range(section, body, encoding, &symbol)) {
			int r = visit(data, &symbol);

			if (r != 0)
				return r;
		}
	}
	return 0;
}

/* Without section headers .eh_frame_hdr, which has a segment of its own, points to it. */
static struct section find_by_segment(const struct elf_file *file)
{
	struct section header = {.file = file};

	for (size_t i = 0; i < file->segment_count; i++) {
		struct reader reader;
		unsigned encoding;

		if (file->segments[i].p_type != PT_GNU_EH_FRAME)
			continue;
		header.address = file->segments[i].p_vaddr;
		header.bytes = elf_file_bytes_at(file, header.address);
		reader = reader_of(header.bytes, file->big_endian);
		reader_u8(&reader);
		encoding = reader_u8(&reader);
		reader_skip(&reader, 2);
		header.address = read_encoded(&header, &reader, encoding);
		header.bytes = reader.failed ? (struct bytes){NULL, 0}
					     : elf_file_bytes_at(file, header.address);
		break;
	}
	return header;
}

int unwind_each(const struct elf_file *file, symbol_visitor *visit, void *data)
{
	const struct elf_section *named = elf_file_section(file, ".eh_frame");
	struct section section = {.file = file, .bytes = elf_file_contents(file, named)};

	if (section.bytes.data)
		section.address = named->header.sh_addr;
	else if (file->section_count == 0)
		section = find_by_segment(file);
	return section.bytes.data ? each_entry(&section, visit, data) : 0;
}
