/* SPDX-License-Identifier: MIT */
/* Sections from a fuzzer's bytes, and a fuzzer's bytes from sections. */

#include "tests/fuzz/sections.h"

#include <stdio.h>

void sections_make(const char *const *names, size_t count, const uint8_t *data, size_t size,
		   struct elf_section *sections, struct elf_file *ret_file)
{
	struct reader reader = reader_of((struct bytes){data, size}, false);

	*ret_file = (struct elf_file){.path = (char *)"/nonexistent/fuzz",
				      .image = data,
				      .size = size,
				      .is_64 = true,
				      .sections = sections,
				      .section_count = count + 2};
	sections[0] = (struct elf_section){.name = ""};
	sections[1] = (struct elf_section){.name = ".text",
					   .header = {.sh_type = SHT_NOBITS,
						      .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
						      .sh_addr = TEXT_START,
						      .sh_size = TEXT_END - TEXT_START}};
	for (size_t i = 0; i < count; i++) {
		size_t length = reader_u16(&reader);

		if (length > reader_left(&reader))
			length = reader_left(&reader);
		sections[i + 2] = (struct elf_section){
			.name = names[i],
			.header = {.sh_type = SHT_PROGBITS,
				   .sh_addr = TEXT_END,
				   .sh_offset = reader.at ? (uint64_t)(reader.at - data) : 0,
				   .sh_size = length}};
		reader_skip(&reader, length);
	}
}

int sections_write(const char *const *names, size_t count, const char *path)
{
	struct elf_file *file;

	if (elf_file_open(path, &file, NULL) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		struct bytes bytes = elf_file_contents(file, elf_file_section(file, names[i]));

		if (bytes.size > UINT16_MAX)
			bytes.size = UINT16_MAX;
		putchar((int)(bytes.size & 0xff));
		putchar((int)(bytes.size >> 8));
		fwrite(bytes.data, 1, bytes.size, stdout);
	}
	elf_file_close(file);
	return fflush(stdout) == 0 ? 0 : -1;
}
