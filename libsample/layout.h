/* SPDX-License-Identifier: MIT */
/* What stands where in an image's slice. */
#pragma once

#include <stdint.h>

#include "libsample/arena.h"

struct layout {
	const struct arena_header *header;
	int argc;
	char **argv;
	const char *executable, *directory;		  /* paths */
	uint64_t regions, strings, raw, carries, buckets; /* offsets of the parts */
	uint64_t closed;				  /* likewise */
	uint64_t threads, thread_counts, answers;	  /* likewise, 0: not asked for */
	uint64_t region_count;
	uint64_t length; /* of the whole slice */
};

/* The part of a slice at @offset. */
static inline void *layout_at(struct arena_image *image, uint64_t offset)
{
	return (char *)image + offset;
}

/* Works out the parts for the objects that are loaded now. */
void layout_measure(struct layout *layout, const struct arena_header *header, int argc,
		    char **argv);

/* Fills a zeroed slice of layout->length bytes. */
void layout_fill(const struct layout *layout, struct arena_image *image);

/*
 * Fills the slice of a forked child from the first @head bytes (a multiple of 64) of its parent's,
 * with nothing counted yet. @pid is the child as profrun knows it, 0: that is to be found out.
 */
void layout_copy(struct arena_image *image, const struct arena_image *parent, uint64_t head,
		 uint32_t pid);
