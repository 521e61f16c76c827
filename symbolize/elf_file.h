/* SPDX-License-Identifier: MIT */
/*
 * One ELF file (or image in memory) with its headers read and checked. What a header says about
 * places in the file is believed only after it was compared with the file's size, so that whoever
 * reads on from here stays inside.
 */
#pragma once

#include <gelf.h>

#include "symbolize/reader.h"
#include "symbolize/symbolize.h"

struct elf_section {
	const char *name; /* "" when the header's name is damaged */
	GElf_Shdr header;
	struct bytes inflated; /* once it was asked for; owned by the file */
	int inflate_error;     /* why it could not be inflated, 0: not tried or fine */
};

struct elf_file {
	char *path; /* as it was opened, or the image's name */
	Elf *elf;
	const uint8_t *image;
	size_t size;
	bool mapped;	     /* .image is ours to unmap */
	struct guard *guard; /* of the mapping */
	bool adopted;	     /* .image is ours to free */
	bool big_endian;
	bool is_64;
	bool may_be_unlinked;
	GElf_Ehdr header;
	struct elf_section *sections;
	size_t section_count;
	GElf_Phdr *segments;
	size_t segment_count;
	const char *damage; /* what of the headers could not be used; NULL: nothing */
};

/* Refuses what is no regular file (-EINVAL) or no ELF file (-ENOEXEC). */
int elf_file_open(const char *path, struct elf_file **ret_file, struct error *err);

/* The same for a file that is open already, and stays so; @path is what it is called. */
int elf_file_open_fd(int fd, const char *path, struct elf_file **ret_file, struct error *err);

/* The same for files that may say that they are not linked yet: split and alternate DWARF. */
int elf_file_open_unlinked(const char *path, struct elf_file **ret_file, struct error *err);

/* @image stays the caller's. */
int elf_file_open_memory(const char *name, const void *image, size_t size,
			 struct elf_file **ret_file, struct error *err);

/* @image came from malloc(3) and becomes the file's, or is freed on failure. */
int elf_file_adopt_memory(const char *name, struct bytes image, struct elf_file **ret_file);

void elf_file_close(struct elf_file *file);

/* The first section of that name (or type), NULL when there is none. */
const struct elf_section *elf_file_section(const struct elf_file *file, const char *name);
const struct elf_section *elf_file_section_of_type(const struct elf_file *file, uint32_t type);

/*
 * The contents of @section, which is one of the file's: the bytes that the file holds, inflated
 * when they are compressed. .data is NULL when there are none, or too few, or when they are
 * damaged. Owned by the file.
 */
struct bytes elf_file_contents(const struct elf_file *file, const struct elf_section *section);

/* @size bytes at @offset of the file; .data is NULL when they are not all there. */
struct bytes elf_file_range(const struct elf_file *file, uint64_t offset, uint64_t size);

/* The bytes from link-time @address to the end of the segment's part in the file. */
struct bytes elf_file_bytes_at(const struct elf_file *file, uint64_t address);

/* Whether there is code at @address, by the section headers. */
bool elf_file_is_code(const struct elf_file *file, uint64_t address);

/*
 * Gives the memory of what was read of the file back: whoever walks large tables does so now and
 * then. What is looked at again is read again, from the kernel's cache.
 */
void elf_file_forget(const struct elf_file *file);

/* Size 0 when the file has none. */
void elf_file_build_id(const struct elf_file *file, struct sym_build_id *ret_id);

/* Whether the section holds code that is in memory when the program runs. */
static inline bool elf_section_is_code(const struct elf_section *section)
{
	const GElf_Xword code = SHF_ALLOC | SHF_EXECINSTR;

	return (section->header.sh_flags & code) == code;
}
