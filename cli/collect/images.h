/* SPDX-License-Identifier: MIT */
/* An image under collection: its slice, and what its raw addresses turned out to be. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cli/collect/slice.h"
#include "cli/profile/profile.h"

#define OBJECT_NONE UINT32_MAX

struct image_raw {
	uint64_t key; /* for which it was resolved: entries are used again */
	uint32_t object;
	uint64_t address;
};

/* A bucket that was counted, and where it lay in the image's memory. */
struct image_count {
	uint64_t pc; /* 0: delayed by a blocked signal; PC_NONE: nobody knows */
	struct profile_entry entry;
};

#define PC_NONE UINT64_MAX

struct image {
	struct slice *slice;
	struct image *next;   /* of those that wait for their time (kernel_process.h) */
	uint32_t process;     /* index into the profile's processes, or OBJECT_NONE */
	uint32_t raw_seen;    /* entries of the raw table at the last look */
	uint32_t epoch_seen;  /* the epoch then */
	uint32_t closed_seen; /* of the ring of closed segments */
	uint32_t untold;      /* of the epochs before, not all that was closed is known */
	bool has_jit;	      /* ticks in code of no file */
	int perf_map;	      /* that names it, or negative: not open */
	bool started_inside;  /* while ticks were counted */
	bool entered_next;    /* the preload entered what it became by exec */
	uint64_t exec_cpu;    /* nanoseconds that the process had used when it became this image */
	double cpu_before;    /* the process's CPU time when the image was first seen */
	uint32_t *objects;    /* of the regions: index into the profile's objects */
	/* For each entry of the raw table: its object (OBJECT_NONE: not resolved) and address. */
	struct image_raw *raw;
	/* What was taken from the slice, until all of it is known to add up. */
	struct image_count *counts;
	size_t count, room;
	uint32_t first_thread;	       /* its number in the profile, 0: not met yet */
	struct summons *summons;       /* threads that nobody armed; NULL: none were seen */
	struct thread_names *names;    /* of its threads, as last seen; NULL: not asked for */
	struct signal_threads *probed; /* its threads, where profrun sends the ticks */
};

/*
 * Loads the image behind @slot and adds its objects to @profile; its process is not known yet. 0,
 * -EBADMSG (not one) or -ENOMEM.
 */
int image_load(struct profile *profile, const struct arena_file *file,
	       const struct arena_slot *slot, struct image **ret_image);

/* Adds the process that it was the image @number of. 0 or -ENOMEM. */
int image_add_process(struct image *image, struct profile *profile, unsigned number);
void image_free(struct image *image);

/* The path that the dynamic linker opened as @name, absolute; freed by the caller, NULL: no memory.
 */
char *image_object_path(const struct slice *slice, const char *name);

pid_t image_pid(const struct image *image);

/* Seconds of CPU time that the process @pid has used; negative: not known. */
double image_process_cpu(pid_t pid);

/* Nanoseconds of CPU time that the process had used when it was about to exec; 0: it was not. */
uint64_t image_exec_cpu(struct image *image);

/* While the process lives: names the new raw addresses, reads its clock, empties full lists. */
int image_visit(struct image *image, struct profile *profile);

/*
 * Counts @weight ticks at @pc in the histogram of the region at @index, as the program itself
 * would; *ret_bucket tells in which bucket. 0, or a negative errno: they were not counted.
 */
int image_tick(struct image *image, uint32_t index, uint64_t pc, uint64_t weight,
	       struct slice_bucket *ret_bucket);

/*
 * Counts @weight ticks at @pc, wherever that is, as the handler in the program would; with
 * @main_only what lies in no region is only outside. 0, or a negative errno: they were not counted.
 */
int image_count_pc(struct image *image, uint64_t pc, uint64_t weight, bool main_only);

/* Counts @ticks at the place of @raw, which is resolved, before the image is drained. 0 or -ENOMEM.
 */
int image_bank(struct image *image, uint64_t key, const struct image_raw *raw, uint64_t ticks);

/* Empties the lists of carries that fill up. 0 or -ENOMEM. */
int image_take_carries(struct image *image);

/*
 * Adds everything that was counted to @profile, or nothing (-EBADMSG) if the counts do not add up
 * to the ticks that came. The image must not be visited or drained again.
 */
int image_drain(struct image *image, struct profile *profile,
		const struct arena_settings *settings);
