/* SPDX-License-Identifier: MIT */
/*
 * The ring buffer of one event. Records are taken in the order in which they were written; what
 * was not taken yet stays in the ring.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/ticks/kernel_record.h"

/* No record of those asked for is larger: the longest has a path. */
#define KERNEL_RECORD_MAX 8192

struct kernel_ring {
	int fd;
	uint64_t period; /* nanoseconds of CPU time that a sample in it stands for */
	void *memory;	 /* a page of state, then the records */
	size_t page, size;
	uint64_t head, tail; /* of what may be taken, as of the last kernel_ring_look() */
	bool has_record;
	size_t record_size;
	struct kernel_record record;
	char copy[KERNEL_RECORD_MAX] __attribute__((aligned(8))); /* of a record that wraps */
};

/*
 * Maps the ring of the event @fd with @pages pages (a power of two). 0 or a negative errno (-EPERM:
 * more than may be locked in memory). On success @fd belongs to the ring.
 */
int kernel_ring_open(struct kernel_ring *ring, int fd, size_t pages);
void kernel_ring_close(struct kernel_ring *ring);

/* Looks what has come. */
void kernel_ring_look(struct kernel_ring *ring);

/* The next record, or NULL. It is valid until kernel_ring_next(). */
const struct kernel_record *kernel_ring_peek(struct kernel_ring *ring);
void kernel_ring_next(struct kernel_ring *ring);

/* The part of the ring that is in use, 0 to 1. */
double kernel_ring_fill(const struct kernel_ring *ring);
