/* SPDX-License-Identifier: MIT */
/*
 * A process's memory says best which build it runs; when the process is gone, or may not be looked
 * into, the file itself does.
 */

#include "cli/collect/mapped_object.h"

#include <errno.h>
#include <string.h>

#include "cli/collect/seen_file.h"

int64_t mapped_object_add(struct profile *profile, pid_t pid, const struct mapping *mapping,
			  uint64_t *ret_start)
{
	struct sighting sighting = {.pid = pid, .path = mapping->path, .mapping = mapping};
	struct profile_object object = {.kind = OBJECT_FILE, .path = mapping->path};
	struct seen_file *file = NULL;
	uint64_t start = mapping->offset;
	int64_t index;
	int in_memory, opened;

	if (!mapping->path)
		return -ENOEXEC;
	in_memory = seen_file_in_memory(pid, mapping, &start, &sighting.build_id);
	opened = seen_file_open(&sighting, &file);
	if (in_memory != 1 && file)
		in_memory = sym_file_address(seen_file_fd(file), mapping->offset, &start,
					     &sighting.build_id);
	if (in_memory == -ENOEXEC) {
		seen_file_close(file);
		return -ENOEXEC;
	}
	object.name = basename(mapping->path);
	object.build_id = sighting.build_id;
	index = profile_add_object(profile, &object);
	/* What can be opened later must have its address and its build-id from the memory. */
	if (index >= 0 && (opened != -EMFILE || in_memory != 1))
		profile_keep_file(profile, (uint32_t)index, file);
	else
		seen_file_close(file);
	*ret_start = start;
	return index;
}
