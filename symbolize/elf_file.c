/* SPDX-License-Identifier: MIT */
/* Opening ELF files safely: regular files are mapped, so that only what is looked at is read. */

#include "symbolize/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbolize/elf_headers.h"
#include "symbolize/guard.h"
#include "symbolize/inflate.h"
#include "symbolize/util.h"

/* More files at once than can be guarded: the split units of a large program. */
static int read_file(struct elf_file *file, int fd, size_t size, struct error *err)
{
	AUTO_FREE uint8_t *image = malloc(size);

	if (!image)
		return error_set(err, -ENOMEM, "cannot read '%s': ", file->path);
	for (size_t done = 0; done < size;) {
		ssize_t r = pread(fd, image + done, size - done, (off_t)done);

		if (r <= 0)
			return error_set(err, r < 0 ? -errno : -EIO,
					 "cannot read '%s': ", file->path);
		done += (size_t)r;
	}
	file->image = steal_ptr(image);
	file->size = size;
	file->adopted = true;
	return 0;
}

static int map_or_read(struct elf_file *file, int fd, size_t size, struct error *err)
{
	void *image = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

	if (image == MAP_FAILED)
		return error_set(err, -errno, "cannot map '%s': ", file->path);
	file->guard = guard_new(image, size);
	if (!file->guard) {
		munmap(image, size);
		return read_file(file, fd, size, err);
	}
	file->image = image;
	file->size = size;
	file->mapped = true;
	return 0;
}

static int load_file(struct elf_file *file, int fd, struct error *err)
{
	const unsigned cuts = guard_cuts();
	struct stat status;
	int r;

	if (fstat(fd, &status) < 0)
		return error_set(err, -errno, "cannot look at '%s': ", file->path);
	if (!S_ISREG(status.st_mode))
		return error_set(err, -EINVAL, "cannot read '%s': %s", file->path,
				 S_ISDIR(status.st_mode) ? "it is a directory"
							 : "it is not a regular file");
	if (status.st_size == 0)
		return error_set(err, -ENOEXEC, "cannot read '%s': it is empty", file->path);
	r = map_or_read(file, fd, (size_t)status.st_size, err);
	if (r == 0)
		r = elf_headers_load(file, err);
	if (r == 0 && guard_cuts() != cuts)
		r = error_set(err, -EIO, "cannot read '%s': it was cut short meanwhile",
			      file->path);
	return r;
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

static int open_fd(int fd, const char *path, bool may_be_unlinked, struct elf_file **ret_file,
		   struct error *err)
{
	struct elf_file *file = file_new(path, err);
	int r;

	if (!file)
		return -ENOMEM;
	file->may_be_unlinked = may_be_unlinked;
	r = load_file(file, fd, err);
	if (r < 0) {
		elf_file_close(file);
		return r;
	}
	*ret_file = file;
	return 0;
}

/* A FIFO must not make us wait, nor a terminal become ours. */
static int open_path(const char *path, bool may_be_unlinked, struct elf_file **ret_file,
		     struct error *err)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return error_set(err, -errno, "cannot open '%s': ", path);
	return open_fd(fd, path, may_be_unlinked, ret_file, err);
}

int elf_file_open(const char *path, struct elf_file **ret_file, struct error *err)
{
	return open_path(path, false, ret_file, err);
}

int elf_file_open_fd(int fd, const char *path, struct elf_file **ret_file, struct error *err)
{
	return open_fd(fd, path, false, ret_file, err);
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
	r = elf_headers_load(file, err);
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
	guard_free(file->guard);
	if (file->mapped)
		munmap((void *)file->image, file->size);
	if (file->adopted)
		free((void *)file->image);
	free(file->sections);
	free(file->segments);
	free(file->path);
	free(file);
}

/* Not the first page: of a damaged file it may have been changed. */
void elf_file_forget(const struct elf_file *file)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (file->mapped && file->size > page)
		madvise((void *)(uintptr_t)(file->image + page), file->size - page, MADV_DONTNEED);
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

struct bytes elf_file_range(const struct elf_file *file, uint64_t offset, uint64_t size)
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
	bytes = elf_file_range(file, section->header.sh_offset, section->header.sh_size);
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
