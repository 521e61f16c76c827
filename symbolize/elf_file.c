/* SPDX-License-Identifier: MIT */
/*
 * Opening ELF files safely. The file is mapped, so that only what is looked at is read. libelf
 * refuses a whole file whose section headers lie outside of it; such a file (truncated, or stripped
 * by an eager tool) still has its segments, so the section headers are then taken off our private
 * copy of the header.
 */

#include "symbolize/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "symbolize/inflate.h"
#include "symbolize/util.h"

static int map_file(struct elf_file *file, const char *path, struct error *err)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat status;
	void *image;

	if (fd < 0)
		return error_set(err, -errno, "cannot open '%s': ", path);
	if (fstat(fd, &status) < 0)
		return error_set(err, -errno, "cannot look at '%s': ", path);
	if (!S_ISREG(status.st_mode))
		return error_set(err, -EINVAL, "cannot read '%s': %s", path,
				 S_ISDIR(status.st_mode) ? "it is a directory"
							 : "it is not a regular file");
	if (status.st_size == 0)
		return error_set(err, -ENOEXEC, "cannot read '%s': it is empty", path);
	image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (image == MAP_FAILED)
		return error_set(err, -errno, "cannot map '%s': ", path);
	file->image = image;
	file->size = (size_t)status.st_size;
	file->mapped = true;
	return 0;
}

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

	if (!file->mapped || mprotect(image, sizeof(Elf64_Ehdr), PROT_READ | PROT_WRITE) < 0)
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

static int load_headers(struct elf_file *file, struct error *err)
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
	if (load_sections(file) < 0 || load_segments(file) < 0)
		return error_set(err, -ENOMEM, "cannot read '%s': ", file->path);
	return 0;
}

static struct elf_file *file_new(const char *path, struct error *err)
{
	struct elf_file *file = calloc(1, sizeof(*file));

	if (file)
		file->path = strdup(path);
	if (file && file->path)
		return file;
	free(file);
	error_set(err, -ENOMEM, "cannot open '%s': ", path);
	return NULL;
}

static int open_path(const char *path, bool may_be_unlinked, struct elf_file **ret_file,
		     struct error *err)
{
	struct elf_file *file = file_new(path, err);
	int r;

	if (!file)
		return -ENOMEM;
	file->may_be_unlinked = may_be_unlinked;
	r = map_file(file, path, err);
	if (r == 0)
		r = load_headers(file, err);
	if (r < 0) {
		elf_file_close(file);
		return r;
	}
	*ret_file = file;
	return 0;
}

int elf_file_open(const char *path, struct elf_file **ret_file, struct error *err)
{
	return open_path(path, false, ret_file, err);
}

int elf_file_open_unlinked(const char *path, struct elf_file **ret_file, struct error *err)
{
	return open_path(path, true, ret_file, err);
}

static int open_memory(const char *name, struct bytes image, bool adopt, struct elf_file **ret_file,
		       struct error *err)
{
	struct elf_file *file = file_new(name, err);
	int r;

	if (!file)
		return -ENOMEM;
	file->image = image.data;
	file->size = image.size;
	file->adopted = adopt;
	r = load_headers(file, err);
	if (r < 0) {
		file->adopted = false;
		elf_file_close(file);
		return r;
	}
	*ret_file = file;
	return 0;
}

int elf_file_open_memory(const char *name, const void *image, size_t size,
			 struct elf_file **ret_file, struct error *err)
{
	return open_memory(name, (struct bytes){image, size}, false, ret_file, err);
}

int elf_file_adopt_memory(const char *name, struct bytes image, struct elf_file **ret_file)
{
	int r = open_memory(name, image, true, ret_file, NULL);

	if (r < 0)
		free((void *)image.data);
	return r;
}

void elf_file_close(struct elf_file *file)
{
	if (!file)
		return;
	elf_end(file->elf);
	for (size_t i = 0; i < file->section_count; i++)
		free((void *)file->sections[i].inflated.data);
	if (file->mapped)
		munmap((void *)file->image, file->size);
	if (file->adopted)
		free((void *)file->image);
	free(file->sections);
	free(file->segments);
	free(file->path);
	free(file);
}

const struct elf_section *elf_file_section(const struct elf_file *file, const char *name)
{
	for (size_t i = 0; i < file->section_count; i++)
		if (strcmp(file->sections[i].name, name) == 0)
			return &file->sections[i];
	return NULL;
}

const struct elf_section *elf_file_section_of_type(const struct elf_file *file, uint32_t type)
{
	for (size_t i = 0; i < file->section_count; i++)
		if (file->sections[i].header.sh_type == type)
			return &file->sections[i];
	return NULL;
}

static struct bytes bytes_in_file(const struct elf_file *file, uint64_t offset, uint64_t size)
{
	if (offset > file->size || size > file->size - offset)
		return (struct bytes){NULL, 0};
	return (struct bytes){file->image + offset, size};
}

struct bytes elf_file_contents(const struct elf_file *file, const struct elf_section *section)
{
	struct bytes bytes = {NULL, 0};
	struct elf_section *cache;

	if (!section || section->header.sh_type == SHT_NOBITS)
		return bytes;
	bytes = bytes_in_file(file, section->header.sh_offset, section->header.sh_size);
	if (!bytes.data || !inflate_is_needed(section))
		return bytes;
	cache = &file->sections[section - file->sections];
	if (!cache->inflated.data && cache->inflate_error == 0)
		cache->inflate_error = inflate_section(file, section, bytes, &cache->inflated);
	return cache->inflated;
}

struct bytes elf_file_bytes_at(const struct elf_file *file, uint64_t address)
{
	for (size_t i = 0; i < file->segment_count; i++) {
		const GElf_Phdr *segment = &file->segments[i];
		uint64_t inside = address - segment->p_vaddr;
		uint64_t left;

		if (segment->p_type != PT_LOAD || address < segment->p_vaddr ||
		    inside >= segment->p_filesz || segment->p_offset > file->size ||
		    inside >= file->size - segment->p_offset)
			continue;
		left = file->size - segment->p_offset - inside;
		if (left > segment->p_filesz - inside)
			left = segment->p_filesz - inside;
		return (struct bytes){file->image + segment->p_offset + inside, left};
	}
	return (struct bytes){NULL, 0};
}

bool elf_file_is_code(const struct elf_file *file, uint64_t address)
{
	for (size_t i = 0; i < file->section_count; i++) {
		const GElf_Shdr *header = &file->sections[i].header;

		if (address >= header->sh_addr && address - header->sh_addr < header->sh_size &&
		    elf_section_is_code(&file->sections[i]))
			return true;
	}
	return false;
}

/* Notes: three words, then name and descriptor, each padded to four bytes (eight where aligned so).
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
		    find_build_id(bytes_in_file(file, segment->p_offset, segment->p_filesz),
				  file->big_endian, segment->p_align, ret_id))
			return;
	}
}
