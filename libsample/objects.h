/* SPDX-License-Identifier: MIT */
/* The executable segments of everything that is loaded, with the identity of their objects. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct object_segment {
	uintptr_t start;  /* in memory */
	uint64_t length;  /* bytes */
	uint64_t address; /* link-time address of .start */
	const char *name; /* path, as the dynamic linker knows it; "" is the main executable */
	uint32_t flags;	  /* enum arena_region_flags */
	const uint8_t *build_id;
	size_t build_id_size;
};

/*
 * Calls @function with each executable segment, those of the main executable first. The dynamic
 * linker's lock is held meanwhile.
 */
void objects_each(void (*function)(const struct object_segment *segment, void *data), void *data);
