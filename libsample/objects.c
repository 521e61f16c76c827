/* SPDX-License-Identifier: MIT */
/* dl_iterate_phdr(3) gives the load bias and program headers of each object, the vDSO included. */

#include "libsample/objects.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "libsample/arena.h"
#include "libsample/next.h"

struct walk {
	void (*function)(const struct object_segment *segment, void *data);
	void *data;
	size_t objects; /* seen so far: the first is the main executable */
};

/* Finds NT_GNU_BUILD_ID in the notes at @notes. */
static void find_build_id(const char *notes, size_t size, size_t alignment,
			  struct object_segment *segment)
{
	size_t at = 0;

	if (alignment < 4)
		alignment = 4;
	while (size - at >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)(notes + at);
		size_t name = at + sizeof(*note);
		size_t content = name + ((note->n_namesz + alignment - 1) & ~(alignment - 1));
		size_t end = content + ((note->n_descsz + alignment - 1) & ~(alignment - 1));

		if (content < name || end < content || end > size)
			return;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof("GNU") &&
		    memcmp(notes + name, "GNU", sizeof("GNU")) == 0 &&
		    note->n_descsz <= ARENA_BUILD_ID_MAX) {
			segment->build_id = (const uint8_t *)notes + content;
			segment->build_id_size = note->n_descsz;
			return;
		}
		at = end;
	}
}

static uint32_t flags_of(const struct dl_phdr_info *info, size_t index)
{
	static const char own; /* lies in the module that this code is part of */
	const char *image = (const char *)info->dlpi_addr;
	uint32_t flags = index == 0 ? ARENA_REGION_MAIN : 0;

	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type != PT_LOAD)
			continue;
		if ((uintptr_t)&own - (uintptr_t)(image + header->p_vaddr) < header->p_memsz)
			flags |= ARENA_REGION_OWN;
		if (header->p_offset == 0 &&
		    (uintptr_t)(image + header->p_vaddr) == getauxval(AT_SYSINFO_EHDR))
			flags |= ARENA_REGION_VDSO;
	}
	return flags;
}

static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
	struct walk *walk = data;
	struct object_segment segment = {.name = info->dlpi_name};

	(void)size;
	segment.flags = flags_of(info, walk->objects++);
	for (size_t i = 0; i < info->dlpi_phnum && segment.build_id_size == 0; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type == PT_NOTE)
			find_build_id((const char *)info->dlpi_addr + header->p_vaddr,
				      header->p_memsz, header->p_align, &segment);
	}
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type != PT_LOAD || !(header->p_flags & PF_X) || header->p_memsz == 0)
			continue;
		segment.start = info->dlpi_addr + header->p_vaddr;
		segment.length = header->p_memsz;
		segment.address = header->p_vaddr;
		walk->function(&segment, walk->data);
	}
	return 0;
}

void objects_each(void (*function)(const struct object_segment *segment, void *data), void *data)
{
	static int (*iterate)(int (*)(struct dl_phdr_info *, size_t, void *), void *);
	struct walk walk = {.function = function, .data = data};

	if (!iterate)
		*(void **)&iterate = next_find("dl_iterate_phdr");
	iterate(visit, &walk);
}
