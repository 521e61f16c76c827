/* SPDX-License-Identifier: MIT */
/* The build-id stands in a note, which sections and segments point to; either may be missing. */

#include <string.h>

#include "symbolize/elf_file.h"

/* Notes: three words, then name and descriptor, each padded to four bytes, or eight where aligned.
 */
static bool find_build_id(struct bytes notes, bool big_endian, uint64_t align,
			  struct sym_build_id *ret_id)
{
	struct reader reader = reader_of(notes, big_endian);
	const uint64_t mask = align == 8 ? 7 : 3;

	while (reader_left(&reader) >= 12) {
		uint64_t name_size = reader_u32(&reader);
		uint64_t size = reader_u32(&reader);
		uint32_t type = reader_u32(&reader);
		const uint8_t *name = reader.at;

		reader_skip(&reader, (name_size + mask) & ~mask);
		if (reader.failed || size > reader_left(&reader))
			return false;
		if (type == NT_GNU_BUILD_ID && name_size == 4 && memcmp(name, "GNU", 4) == 0 &&
		    size > 0 && size <= SYM_BUILD_ID_MAX) {
			ret_id->size = size;
			memcpy(ret_id->bytes, reader.at, size);
			return true;
		}
		reader_skip(&reader, (size + mask) & ~mask);
	}
	return false;
}

void elf_file_build_id(const struct elf_file *file, struct sym_build_id *ret_id)
{
	memset(ret_id, 0, sizeof(*ret_id));
	for (size_t i = 0; i < file->section_count; i++) {
		const struct elf_section *section = &file->sections[i];

		if (section->header.sh_type == SHT_NOTE &&
		    find_build_id(elf_file_contents(file, section), file->big_endian,
				  section->header.sh_addralign, ret_id))
			return;
	}
	for (size_t i = 0; i < file->segment_count; i++) {
		const GElf_Phdr *segment = &file->segments[i];

		if (segment->p_type == PT_NOTE &&
		    find_build_id(elf_file_range(file, segment->p_offset, segment->p_filesz),
				  file->big_endian, segment->p_align, ret_id))
			return;
	}
}
