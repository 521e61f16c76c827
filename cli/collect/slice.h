/* SPDX-License-Identifier: MIT */
/*
 * One image's slice of the arena, read as hostile input: every offset and size is checked when it
 * is loaded, and what the program changes later is only ever a count.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/collect/arena_file.h"

struct slice {
	const struct arena_file *file;
	uint64_t offset, length;   /* in the arena */
	struct arena_image *image; /* a copy of the head, as of the last slice_load or _refresh */
	const struct arena_region *regions; /* in the copy */
	bool carries_full; /* a list was found full: entries that wrapped since are lost */
	void *memory;	   /* all of it, writable, once slice_tick() needed it */
};

/* Loads the slice that @slot announces. 0 or a negative errno (-EBADMSG: it is not one). */
int slice_load(const struct arena_file *file, const struct arena_slot *slot,
	       struct slice **ret_slice);
void slice_free(struct slice *slice);

/* Reads the counts of the image header again. */
int slice_refresh(struct slice *slice);

/* The string at @offset; "" if there is none. */
const char *slice_string(const struct slice *slice, uint32_t offset);

/* A bucket of a region: its range of link-time addresses and its ticks. */
struct slice_bucket {
	uint64_t address, size, ticks;
};

/* Calls @function with every bucket of the region at @index that is not zero, carries included. */
int slice_each_bucket(struct slice *slice, uint32_t index,
		      int (*function)(const struct slice_bucket *bucket, void *data), void *data);

/* Calls @function with each used entry of the table of raw addresses, by ARENA_RAW_KEY. */
int slice_each_raw(const struct slice *slice,
		   int (*function)(uint32_t index, uint64_t key, uint64_t ticks, void *data),
		   void *data);

/* Reads the whole ring of ARENA_CLOSED segments that dlclose(3) removed. 0 or a negative errno. */
int slice_read_closed(const struct slice *slice, struct arena_closed *ret_closed);

/* Makes room of the raw entry at @index, to which nobody adds any more. 0 or a negative errno. */
int slice_forget_raw(const struct slice *slice, uint32_t index);

/* Calls @function with what each thread counted at each pc (ARENA_THREAD_KEY). */
int slice_each_thread_count(const struct slice *slice,
			    int (*function)(uint32_t index, uint64_t key, uint64_t ticks,
					    void *data),
			    void *data);

/* How many threads there are, and the one of @number, from 1 on. */
uint32_t slice_thread_count(const struct slice *slice);
int slice_read_thread(const struct slice *slice, uint32_t number, struct arena_thread *ret_thread);

/*
 * Takes the carries of the region at @index out when its list is half full (or with @all, ever),
 * and calls @function with 65536 ticks for each.
 */
int slice_take_carries(struct slice *slice, uint32_t index, bool all,
		       int (*function)(const struct slice_bucket *bucket, void *data), void *data);

/*
 * Counts @weight ticks at @pc in the region at @index. *ret_bucket is the bucket with its new
 * ticks, *ret_carried what did not fit into its entry and is for the caller to count. 0 or a
 * negative errno
 * (-ERANGE: no entry for this pc).
 */
int slice_tick(struct slice *slice, uint32_t index, uint64_t pc, uint64_t weight,
	       struct slice_bucket *ret_bucket, uint64_t *ret_carried);

/* All of the slice, to be read and changed while the program runs; NULL with errno. */
void *slice_map(struct slice *slice);

/* Counts @weight ticks at @pc as one that lies in no region. 0 or a negative errno. */
int slice_tick_raw(struct slice *slice, uint64_t pc, uint64_t weight);

/* Counts @weight ticks that are outside of all that has a histogram. 0 or a negative errno. */
int slice_tick_outside(struct slice *slice, uint64_t weight);

/* Counts @weight ticks that a blocked signal delayed. 0 or a negative errno. */
int slice_tick_blocked(struct slice *slice, uint64_t weight);

/*
 * Counts for a thread as well, beside what one of the above has counted: @number is its place in
 * the image's table, 0: it gets one, with that tid and name. Returns the number, 0: no room.
 */
uint32_t slice_tick_thread(struct slice *slice, uint32_t number, pid_t tid, uint64_t pc,
			   uint64_t weight);

/* The bucket at @index of the region, with @ticks. */
struct slice_bucket slice_bucket_at(const struct arena_region *region, uint64_t index,
				    uint64_t ticks);

/* The index of the bucket that holds @pc. */
uint64_t slice_bucket_index(const struct arena_region *region, uint64_t pc);

/* Gives the slice's memory back. */
void slice_punch(const struct slice *slice);
