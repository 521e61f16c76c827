/* SPDX-License-Identifier: MIT */
/* The executable mappings of a process as /proc/PID/maps lists them (proc_pid_maps(5)). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct mapping {
	uint64_t start, end;   /* addresses in the process */
	uint64_t offset;       /* of .start in the file */
	uint64_t head;	       /* where the file's beginning is mapped; 0: not known */
	unsigned major, minor; /* the file's device */
	uint64_t inode;
	bool deleted; /* the path is another file's now, or nobody's */
	char *path;   /* of the file, without " (deleted)"; NULL: memory without a file */
	bool is_vdso; /* the kernel's code for every process */
};

struct maps {
	struct mapping *mappings; /* by address */
	size_t count;
};

/* Reads the mappings of @pid. 0 or a negative errno (-ENOENT, -ESRCH: it is gone). */
int maps_load(pid_t pid, struct maps *ret_maps);
void maps_done(struct maps *maps);

/* The mapping that holds @address, or NULL. */
const struct mapping *maps_find(const struct maps *maps, uint64_t address);
