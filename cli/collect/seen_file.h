/* SPDX-License-Identifier: MIT */
/*
 * The very file that a process has mapped, found while the process lives and kept open, so that its
 * names can be read when the run is over: whether it was removed, replaced or written over
 * meanwhile, and also when the process sees another root than profrun does.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "cli/collect/maps.h"
#include "symbolize/error.h"
#include "symbolize/symbolize.h"

struct seen_file;

/* Where a file was seen. */
struct sighting {
	pid_t pid;
	const char *path;	       /* as the process calls it */
	bool is_main;		       /* its executable */
	uint64_t address;	       /* in the process's memory, in a mapping of it */
	const struct mapping *mapping; /* that one, if it was looked up; else NULL */
	struct sym_build_id build_id;  /* of what is in memory; size 0: not known */
};

/*
 * Opens it. 0 or a negative errno; -ESTALE: what can be found is another file. Limited to so many
 * at once that profrun keeps descriptors for itself (-EMFILE).
 */
int seen_file_open(const struct sighting *sighting, struct seen_file **ret_file);
void seen_file_close(struct seen_file *file);

/* Its descriptor, which stays the file's. */
int seen_file_fd(const struct seen_file *file);

/* Whether it was written to since it was opened. */
bool seen_file_has_changed(const struct seen_file *file);

/*
 * What the memory of @pid tells of a mapping: the link-time address of its start, and the file's
 * build-id. 1 found, 0 not to be seen there, -ENOEXEC it is no ELF file, or another negative errno.
 */
int seen_file_in_memory(pid_t pid, const struct mapping *mapping, uint64_t *ret_start,
			struct sym_build_id *ret_id);
