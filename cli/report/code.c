/* SPDX-License-Identifier: MIT */
/* Opens the code of a profile's object. */

#include "cli/report/code.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "cli/collect/seen_file.h"

bool code_exists(const struct profile_object *object)
{
	return object->kind == OBJECT_FILE || object->kind == OBJECT_VDSO;
}

void code_unknown_label(const struct profile_object *object, uint64_t address, char *label,
			size_t size)
{
	size_t length = strlen(object->name);
	/* The brackets of "[vdso]" would be doubled. */
	size_t bracket = length > 1 && object->name[0] == '[' && object->name[length - 1] == ']';

	snprintf(label, size, "[%.*s+0x%" PRIx64 "]", (int)(length - 2 * bracket),
		 object->name + bracket, address);
}

/* The kernel gives every process the same image; profrun's own is as good as the target's. */
static int open_vdso(struct sym_object **ret_code, struct error *err)
{
	const ElfW(Ehdr) *header = (const void *)getauxval(AT_SYSINFO_EHDR);
	size_t size;

	if (!header)
		return error_set(err, -ENOENT, "cannot read the vDSO: the kernel gave none");
	/* Its section headers are the last thing in it. */
	size = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
	return sym_object_open_memory("[vdso]", header, size, ret_code, err);
}

static int open_seen(const struct profile_object *object, struct sym_object **ret_code,
		     struct error *err)
{
	if (object->build_id.size == 0 && seen_file_has_changed(object->seen))
		return error_set(err, -ESTALE, "cannot use '%s': it was written to while it ran",
				 object->path);
	return sym_object_open_fd(seen_file_fd(object->seen), object->path, &object->build_id,
				  ret_code, err);
}

int code_open(const struct profile_object *object, struct sym_object **ret_code, struct error *err)
{
	if (object->kind == OBJECT_VDSO)
		return open_vdso(ret_code, err);
	if (object->seen)
		return open_seen(object, ret_code, err);
	if (object->lost)
		return error_set(err, -ESTALE,
				 "cannot use '%s': the file that ran was removed or replaced, or "
				 "could not be opened",
				 object->path);
	return sym_object_open(object->path, &object->build_id, ret_code, err);
}
