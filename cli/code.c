/* SPDX-License-Identifier: MIT */
/* Opens the code of a profile's object. */

#include "cli/code.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <sys/auxv.h>

bool code_exists(const struct profile_object *object)
{
	return object->kind == OBJECT_FILE || object->kind == OBJECT_VDSO;
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

int code_open(const struct profile_object *object, struct sym_object **ret_code, struct error *err)
{
	if (object->kind == OBJECT_VDSO)
		return open_vdso(ret_code, err);
	return sym_object_open(object->path, &object->build_id, ret_code, err);
}
