/* SPDX-License-Identifier: MIT */
/* Reading a ring: the kernel moves its head, profrun its tail, and neither waits for the other. */

#include "cli/ticks/kernel_ring.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct perf_event_mmap_page *state(const struct kernel_ring *ring)
{
	return ring->memory;
}

int kernel_ring_open(struct kernel_ring *ring, int fd, size_t pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *memory = mmap(NULL, page * (pages + 1), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (memory == MAP_FAILED)
		return -errno;
	*ring = (struct kernel_ring){
		.fd = fd, .memory = memory, .page = page, .size = page * pages};
	return 0;
}

void kernel_ring_close(struct kernel_ring *ring)
{
	munmap(ring->memory, ring->page + ring->size);
	close(ring->fd);
}

void kernel_ring_look(struct kernel_ring *ring)
{
	ring->head = __atomic_load_n(&state(ring)->data_head, __ATOMIC_ACQUIRE);
}

/* The @size bytes at the tail in one piece: where they lie, or their copy. */
static const void *bytes_at_tail(struct kernel_ring *ring, size_t size)
{
	const char *records = (const char *)ring->memory + ring->page;
	size_t at = ring->tail & (ring->size - 1), first = ring->size - at;

	if (size <= first)
		return records + at;
	memcpy(ring->copy, records + at, first);
	memcpy(ring->copy + first, records, size - first);
	return ring->copy;
}

static void skip(struct kernel_ring *ring, size_t size)
{
	ring->tail += size;
	ring->has_record = false;
	__atomic_store_n(&state(ring)->data_tail, ring->tail, __ATOMIC_RELEASE);
}

const struct kernel_record *kernel_ring_peek(struct kernel_ring *ring)
{
	const struct perf_event_header *header;
	size_t left, size;

	while (!ring->has_record) {
		left = ring->head - ring->tail;
		if (left < sizeof(*header))
			return NULL;
		/* Records are aligned to 8: the header never wraps. */
		header = bytes_at_tail(ring, sizeof(*header));
		size = header->size;
		if (size < sizeof(*header) || size > left) {
			skip(ring, left);
			return NULL;
		}
		ring->record_size = size;
		ring->has_record =
			size <= KERNEL_RECORD_MAX &&
			kernel_record_parse(bytes_at_tail(ring, size), size, &ring->record);
		if (!ring->has_record)
			skip(ring, size);
	}
	ring->record.period = ring->period;
	return &ring->record;
}

void kernel_ring_next(struct kernel_ring *ring)
{
	skip(ring, ring->record_size);
}

double kernel_ring_fill(const struct kernel_ring *ring)
{
	return (double)(ring->head - ring->tail) / (double)ring->size;
}
