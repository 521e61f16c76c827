/* SPDX-License-Identifier: MIT */
/* From places in a file, which is what a mapping knows, to link-time addresses. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/elf_file.h"
#include "symbolize/symbolize.h"

static int find_address(const struct elf_file *file, uint64_t offset, uint64_t *ret_address)
{
	for (size_t i = 0; i < file->segment_count; i++) {
		const GElf_Phdr *segment = &file->segments[i];
		/* Mappings begin at page boundaries, segments anywhere in a page. */
		uint64_t slack = segment->p_align > 1 ? segment->p_offset % segment->p_align : 0;

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) ||
		    offset < segment->p_offset - slack ||
		    offset - (segment->p_offset - slack) >= segment->p_filesz + slack)
			continue;
		*ret_address = segment->p_vaddr + (offset - segment->p_offset);
		return 1;
	}
	return 0;
}

int sym_file_address(int fd, uint64_t offset, uint64_t *ret_address,
		     struct sym_build_id *ret_build_id)
{
	struct elf_file *file;
	int r = elf_file_open_fd(fd, "", &file, NULL);

	if (r < 0)
		return r;
	r = find_address(file, offset, ret_address);
	elf_file_build_id(file, ret_build_id);
	elf_file_close(file);
	return r;
}

int sym_file_build_id(int fd, struct sym_build_id *ret_build_id)
{
	struct elf_file *file;
	int r = elf_file_open_fd(fd, "", &file, NULL);

	if (r < 0)
		return r;
	elf_file_build_id(file, ret_build_id);
	elf_file_close(file);
	return 0;
}

int sym_head_address(const void *head, size_t size, uint64_t offset, uint64_t *ret_address,
		     struct sym_build_id *ret_build_id)
{
	struct bytes copy = {malloc(size), size};
	struct elf_file *file;
	int r;

	if (!copy.data)
		return -ENOMEM;
	memcpy((uint8_t *)copy.data, head, size);
	r = elf_file_adopt_memory("", copy, &file);
	if (r < 0)
		return r;
	r = find_address(file, offset, ret_address);
	elf_file_build_id(file, ret_build_id);
	elf_file_close(file);
	return r;
}
