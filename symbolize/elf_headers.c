/* SPDX-License-Identifier: MIT */
/*
 * Reading headers by libelf, which refuses a whole file whose section headers lie outside of it.
 * Such a file (truncated, or stripped by an eager tool) still has its segments, so the section
 * headers are then taken off our private copy of the header.
 */

#include "symbolize/elf_headers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static bool ident_is_sane(const struct elf_file *file)
{
	const uint8_t *ident = file->image;

	return (ident[EI_CLASS] == ELFCLASS32 || ident[EI_CLASS] == ELFCLASS64) &&
	       (ident[EI_DATA] == ELFDATA2LSB || ident[EI_DATA] == ELFDATA2MSB) &&
	       file->size >=
		       (ident[EI_CLASS] == ELFCLASS64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
}

/* libelf never writes through a handle of elf_memory(3) that is only read. */
static bool libelf_open(struct elf_file *file)
{
	size_t count;

	file->elf = elf_memory((char *)file->image, file->size);
	if (file->elf && gelf_getehdr(file->elf, &file->header) &&
	    elf_getshdrnum(file->elf, &count) == 0)
		return true;
	elf_end(file->elf);
	file->elf = NULL;
	return false;
}

/* The fields are zero in any byte order. */
static bool take_off_section_headers(struct elf_file *file)
{
	uint8_t *image = (uint8_t *)file->image;

	if (!file->mapped && !file->adopted)
		return false;
	if (file->mapped && mprotect(image, sizeof(Elf64_Ehdr), PROT_READ | PROT_WRITE) < 0)
		return false;
	if (file->is_64) {
		memset(image + offsetof(Elf64_Ehdr, e_shoff), 0, sizeof(Elf64_Off));
		memset(image + offsetof(Elf64_Ehdr, e_shnum), 0, 2 * sizeof(Elf64_Half));
	} else {
		memset(image + offsetof(Elf32_Ehdr, e_shoff), 0, sizeof(Elf32_Off));
		memset(image + offsetof(Elf32_Ehdr, e_shnum), 0, 2 * sizeof(Elf32_Half));
	}
	return true;
}

/* Whether the header's word on the section headers can be believed; e_shnum 0 means "see there". */
static bool section_headers_are_inside(const struct elf_file *file)
{
	const GElf_Ehdr *header = &file->header;
	const size_t size = file->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

	return header->e_shoff && header->e_shentsize == size && header->e_shoff <= file->size &&
	       (file->size - header->e_shoff) / size >= (header->e_shnum ? header->e_shnum : 1);
}

/* Opens with libelf, without section headers where they are missing or would mislead it. */
static bool open_with_what_is_usable(struct elf_file *file)
{
	if (libelf_open(file)) {
		if (section_headers_are_inside(file) ||
		    (!file->header.e_shoff && !file->header.e_shnum))
			return true;
		elf_end(file->elf);
		file->elf = NULL;
		if (file->header.e_shoff)
			file->damage = "its section headers are damaged";
	} else {
		file->damage = "its section headers are damaged";
	}
	return take_off_section_headers(file) && libelf_open(file);
}

static int load_sections(struct elf_file *file)
{
	size_t count, strings;

	if (elf_getshdrnum(file->elf, &count) < 0 || count == 0)
		return 0;
	if (elf_getshdrstrndx(file->elf, &strings) < 0 || strings >= count) {
		file->damage = "its section names are damaged";
		strings = 0;
	}
	file->sections = calloc(count, sizeof(*file->sections));
	if (!file->sections)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		struct elf_section *section = &file->sections[i];
		const char *name = NULL;

		if (!gelf_getshdr(elf_getscn(file->elf, i), &section->header))
			break;
		if (strings)
			name = elf_strptr(file->elf, strings, section->header.sh_name);
		section->name = name ? name : "";
		file->section_count++;
	}
	return 0;
}

static bool segment_headers_are_inside(const struct elf_file *file, size_t count)
{
	const GElf_Ehdr *header = &file->header;
	const size_t size = file->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);

	if (header->e_phnum == 0)
		return true;
	return count && header->e_phoff <= file->size &&
	       (file->size - header->e_phoff) / size >= count;
}

static int load_segments(struct elf_file *file)
{
	size_t count;

	if (elf_getphdrnum(file->elf, &count) < 0)
		count = 0;
	if (!segment_headers_are_inside(file, count)) {
		file->damage = "its program headers are damaged";
		return 0;
	}
	if (count == 0)
		return 0;
	file->segments = calloc(count, sizeof(*file->segments));
	if (!file->segments)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(file->elf, (int)i, &file->segments[i])) {
			file->damage = "its program headers are damaged";
			break;
		}
		file->segment_count++;
	}
	return 0;
}

int elf_headers_load(struct elf_file *file, struct error *err)
{
	if (file->size < EI_NIDENT || memcmp(file->image, ELFMAG, SELFMAG) != 0)
		return error_set(err, -ENOEXEC, "cannot read '%s': it is not an ELF file",
				 file->path);
	if (!ident_is_sane(file))
		return error_set(err, -ENOEXEC, "cannot read '%s': its ELF header is damaged",
				 file->path);
	file->is_64 = file->image[EI_CLASS] == ELFCLASS64;
	file->big_endian = file->image[EI_DATA] == ELFDATA2MSB;
	elf_version(EV_CURRENT);
	if (!open_with_what_is_usable(file))
		return error_set(err, -ENOEXEC, "cannot read '%s': %s", file->path, elf_errmsg(-1));
	if (file->header.e_type == ET_REL && !file->may_be_unlinked)
		return error_set(err, -ENOEXEC, "cannot read '%s': it is not linked yet",
				 file->path);
	if (file->header.e_type == ET_CORE)
		return error_set(err, -ENOEXEC, "cannot read '%s': it is a core dump", file->path);
	if (load_sections(file) < 0 || load_segments(file) < 0)
		return error_set(err, -ENOMEM, "cannot read '%s': ", file->path);
	return 0;
}
