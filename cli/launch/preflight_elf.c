/* SPDX-License-Identifier: MIT */
/*
 * Only the headers that the kernel and the dynamic linker go by are read, each with one bounded
 * pread(): program headers, PT_INTERP, notes, and the names in the dynamic section.
 */

#include "cli/launch/preflight_elf.h"

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbolize/util.h"

#if defined(__x86_64__)
#define OUR_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OUR_MACHINE EM_AARCH64
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OUR_DATA ELFDATA2LSB
#else
#define OUR_DATA ELFDATA2MSB
#endif

/* More is not read of a part of a file: the kernel takes 64 KiB of program headers at most. */
#define PART_LIMIT (64 * 1024)

struct file {
	int fd;
	Elf64_Phdr *segments;
	size_t segment_count;
};

static bool read_at(int fd, void *buffer, size_t size, uint64_t offset)
{
	if (offset > INT64_MAX - size)
		return false;
	return pread(fd, buffer, size, (off_t)offset) == (ssize_t)size;
}

/* A part of the file with a NUL behind it, to be freed; NULL when it is not (all) there. */
static void *read_part(int fd, uint64_t offset, uint64_t size)
{
	AUTO_FREE char *part = NULL;

	if (size == 0 || size > PART_LIMIT)
		return NULL;
	part = malloc(size + 1);
	if (!part || !read_at(fd, part, size, offset))
		return NULL;
	part[size] = '\0';
	return steal_ptr(part);
}

static const Elf64_Phdr *find_segment(const struct file *file, uint32_t type)
{
	for (size_t i = 0; i < file->segment_count; i++)
		if (file->segments[i].p_type == type)
			return &file->segments[i];
	return NULL;
}

/* Where in the file the byte with this address is; 0: nowhere. */
static uint64_t file_offset(const struct file *file, uint64_t address)
{
	for (size_t i = 0; i < file->segment_count; i++) {
		const Elf64_Phdr *segment = &file->segments[i];

		if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
		    address - segment->p_vaddr < segment->p_filesz)
			return segment->p_offset + (address - segment->p_vaddr);
	}
	return 0;
}

/* A name of the string table at file offset @strings. */
static bool read_name(int fd, uint64_t strings, uint64_t index, char name[NAME_MAX])
{
	ssize_t length;

	if (!strings || strings > INT64_MAX || index > INT64_MAX - strings)
		return false;
	length = pread(fd, name, NAME_MAX - 1, (off_t)(strings + index));
	if (length <= 0)
		return false;
	name[length] = '\0';
	return true;
}

/* Finds, among the names with this tag, the first that @wanted likes. */
static bool find_name(const struct file *file, int64_t tag, bool (*wanted)(const char *),
		      char ret_name[NAME_MAX])
{
	const Elf64_Phdr *segment = find_segment(file, PT_DYNAMIC);
	AUTO_FREE Elf64_Dyn *entries = NULL;
	char name[NAME_MAX];
	uint64_t strings = 0;
	size_t count;

	if (!segment)
		return false;
	entries = read_part(file->fd, segment->p_offset, segment->p_filesz);
	count = entries ? segment->p_filesz / sizeof(*entries) : 0;
	for (size_t i = 0; i < count; i++)
		if (entries[i].d_tag == DT_STRTAB)
			strings = file_offset(file, entries[i].d_un.d_ptr);
	for (size_t i = 0; i < count && entries[i].d_tag != DT_NULL; i++) {
		if (entries[i].d_tag != tag ||
		    !read_name(file->fd, strings, entries[i].d_un.d_val, name) || !wanted(name))
			continue;
		memcpy(ret_name, name, sizeof(name));
		return true;
	}
	return false;
}

/* Go's linker leaves its build-id in a note of type 4 by "Go". */
static bool has_go_note(const char *notes, size_t size)
{
	Elf64_Nhdr note;
	size_t at = 0, next;

	while (size - at >= sizeof(note) + 4) {
		memcpy(&note, notes + at, sizeof(note));
		if (note.n_namesz == 4 && note.n_type == 4 &&
		    memcmp(notes + at + sizeof(note), "Go\0", 4) == 0)
			return true;
		next = sizeof(note) + (((size_t)note.n_namesz + 3) & ~(size_t)3) +
		       (((size_t)note.n_descsz + 3) & ~(size_t)3);
		if (next > size - at)
			return false;
		at += next;
	}
	return false;
}

static bool is_go(const struct file *file)
{
	for (size_t i = 0; i < file->segment_count; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		AUTO_FREE char *notes = NULL;

		if (segment->p_type != PT_NOTE)
			continue;
		notes = read_part(file->fd, segment->p_offset, segment->p_filesz);
		if (notes && has_go_note(notes, segment->p_filesz))
			return true;
	}
	return false;
}

/* The kernel wants a path that ends with the segment. */
static bool read_linker(const struct file *file, const Elf64_Phdr *segment, char linker[PATH_MAX])
{
	if (segment->p_filesz < 2 || segment->p_filesz > PATH_MAX)
		return false;
	return read_at(file->fd, linker, segment->p_filesz, segment->p_offset) &&
	       linker[segment->p_filesz - 1] == '\0';
}

static bool is_linker(const char *name)
{
	return strncmp(name, "ld-linux", strlen("ld-linux")) == 0;
}

static enum preflight_elf_kind read_segments(const struct file *file, struct preflight_elf *elf)
{
	const Elf64_Phdr *segment = find_segment(file, PT_INTERP);
	char name[NAME_MAX];

	elf->go = is_go(file);
	if (!segment && find_name(file, DT_SONAME, is_linker, name))
		return PREFLIGHT_ELF_LINKER;
	if (!segment)
		return PREFLIGHT_ELF_STATIC;
	if (!read_linker(file, segment, elf->linker))
		return PREFLIGHT_ELF_BROKEN;
	return PREFLIGHT_ELF_DYNAMIC;
}

/* The fields that are in the same place in both classes, in the file's byte order. */
static unsigned get_half(const unsigned char *bytes, unsigned char data)
{
	return data == ELFDATA2MSB ? bytes[0] << 8 | bytes[1] : bytes[1] << 8 | bytes[0];
}

static enum preflight_elf_kind read_header(int fd, struct preflight_elf *elf)
{
	unsigned char ident[EI_NIDENT + 4];
	AUTO_FREE Elf64_Phdr *segments = NULL;
	Elf64_Ehdr header;
	struct file file;

	if (!read_at(fd, ident, sizeof(ident), 0))
		return PREFLIGHT_ELF_BROKEN;
	elf->machine = get_half(ident + offsetof(Elf64_Ehdr, e_machine), ident[EI_DATA]);
	elf->bits = ident[EI_CLASS] == ELFCLASS32 ? 32 : 64;
	if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != OUR_DATA ||
	    elf->machine != OUR_MACHINE)
		return PREFLIGHT_ELF_FOREIGN;
	if (!read_at(fd, &header, sizeof(header), 0) ||
	    (header.e_type != ET_EXEC && header.e_type != ET_DYN) ||
	    header.e_phentsize != sizeof(Elf64_Phdr))
		return PREFLIGHT_ELF_BROKEN;
	segments = read_part(fd, header.e_phoff, (uint64_t)header.e_phnum * sizeof(Elf64_Phdr));
	if (!segments)
		return PREFLIGHT_ELF_BROKEN;
	file = (struct file){.fd = fd, .segments = segments, .segment_count = header.e_phnum};
	return read_segments(&file, elf);
}

void preflight_elf_read(int fd, struct preflight_elf *ret_elf)
{
	char magic[SELFMAG];

	memset(ret_elf, 0, sizeof(*ret_elf));
	if (read_at(fd, magic, sizeof(magic), 0) && memcmp(magic, ELFMAG, SELFMAG) == 0)
		ret_elf->kind = read_header(fd, ret_elf);
}
