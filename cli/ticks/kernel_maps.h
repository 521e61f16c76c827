/* SPDX-License-Identifier: MIT */
/*
 * The executable memory of a process, as the kernel told it mapping by mapping. A forked child has
 * its parent's until it makes one of its own.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define KERNEL_NONE UINT32_MAX

struct kernel_mapping {
	uint64_t start, end;
	uint64_t base;	  /* .start when it was made: what .address is the address of */
	uint64_t address; /* link-time, once .object is known */
	uint32_t object;  /* index into the profile's objects, or KERNEL_NONE: not known yet */
	uint32_t text;	  /* index of the piece of file (kernel_texts.h), or KERNEL_NONE */
	uint32_t region;  /* index of the image's region that the preload registered, or none */
};

struct kernel_maps;

struct kernel_maps *kernel_maps_new(void);
struct kernel_maps *kernel_maps_share(struct kernel_maps *maps);
void kernel_maps_release(struct kernel_maps *maps);

/*
 * Adds a mapping in the place of what was there. Memory without a file that replaces a part of a
 * region is still that region: programs move their text to huge pages so. 0 or -ENOMEM.
 */
int kernel_maps_add(struct kernel_maps **maps, const struct kernel_mapping *mapping);

/* The mapping that holds @pc, or NULL; what is found out about it may be written to it. */
struct kernel_mapping *kernel_maps_find(struct kernel_maps *maps, uint64_t pc);
