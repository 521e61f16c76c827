/* SPDX-License-Identifier: MIT */
/* Reading a slice. Buckets are found by the holes of the file: an untouched page is never read. */

#include "cli/collect/slice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEAD_MAX    (64u << 20)
#define REGIONS_MAX (1u << 20)
#define CARRY_TICKS 65536

static bool fits(uint64_t offset, uint64_t size, uint64_t limit)
{
	return offset <= limit && size <= limit - offset;
}

static bool slot_is_sane(const struct arena_file *file, const struct arena_slot *slot)
{
	return slot->state == ARENA_SLOT_READY && slot->slice >= ARENA_SLICES_OFFSET &&
	       slot->slice % ARENA_ALIGNMENT == 0 && slot->length >= sizeof(struct arena_image) &&
	       fits(slot->slice, slot->length, file->size);
}

static bool threads_are_sane(const struct slice *slice, const struct arena_image *image)
{
	return image->threads % sizeof(uint64_t) == 0 &&
	       image->thread_counts % sizeof(uint64_t) == 0 &&
	       fits(image->threads, ARENA_THREADS * sizeof(struct arena_thread), slice->length) &&
	       fits(image->thread_counts, ARENA_THREAD_COUNTS * sizeof(struct arena_raw),
		    slice->length);
}

static bool answers_are_sane(const struct slice *slice, const struct arena_image *image)
{
	return image->answers % sizeof(uint64_t) == 0 &&
	       fits(image->answers, ARENA_ANSWERS * sizeof(struct arena_answer), slice->length);
}

static bool head_is_sane(const struct slice *slice, const struct arena_image *image)
{
	uint64_t table = image->region_count * (uint64_t)sizeof(struct arena_region);

	return image->nonce == slice->file->nonce && image->region_count <= REGIONS_MAX &&
	       image->raw <= HEAD_MAX && image->raw % sizeof(uint64_t) == 0 &&
	       fits(image->raw, ARENA_RAW_COUNT * sizeof(struct arena_raw), slice->length) &&
	       fits(image->closed, ARENA_CLOSED * sizeof(struct arena_closed), slice->length) &&
	       (!image->threads || threads_are_sane(slice, image)) &&
	       (!image->answers || answers_are_sane(slice, image)) && image->raw > sizeof(*image) &&
	       image->regions % sizeof(uint64_t) == 0 && fits(image->regions, table, image->raw);
}

static bool region_is_sane(const struct slice *slice, const struct arena_region *region)
{
	const uint64_t carry = sizeof(struct profil_carry) + ARENA_CARRY_COUNT * sizeof(uint32_t);

	return fits(region->buckets, region->buckets_size, slice->length) &&
	       region->buckets % sizeof(uint64_t) == 0 && region->scale >= 2 &&
	       region->scale <= 0x10000 && region->build_id_size <= ARENA_BUILD_ID_MAX &&
	       region->carry % sizeof(uint64_t) == 0 && fits(region->carry, carry, slice->length);
}

static int load_head(struct slice *slice)
{
	struct arena_image image;
	int r = arena_file_read(slice->file, slice->offset, &image, sizeof(image));

	if (r < 0)
		return r;
	if (!head_is_sane(slice, &image))
		return -EBADMSG;
	slice->image = malloc(image.raw);
	if (!slice->image)
		return -ENOMEM;
	r = arena_file_read(slice->file, slice->offset, slice->image, image.raw);
	if (r < 0)
		return r;
	/* It may have changed between the two reads: what was checked holds. */
	memcpy(slice->image, &image, sizeof(image));
	((char *)slice->image)[image.raw - 1] = '\0';
	slice->image->exec_path[ARENA_EXEC_PATH_MAX - 1] = '\0';
	slice->regions = (const void *)((const char *)slice->image + image.regions);
	return 0;
}

int slice_load(const struct arena_file *file, const struct arena_slot *slot,
	       struct slice **ret_slice)
{
	struct slice *slice;
	int r;

	if (!slot_is_sane(file, slot))
		return -EBADMSG;
	slice = calloc(1, sizeof(*slice));
	if (!slice)
		return -ENOMEM;
	slice->file = file;
	slice->offset = slot->slice;
	slice->length = slot->length;
	r = load_head(slice);
	for (uint32_t i = 0; r == 0 && i < slice->image->region_count; i++)
		r = region_is_sane(slice, &slice->regions[i]) ? 0 : -EBADMSG;
	if (r < 0) {
		slice_free(slice);
		return r;
	}
	*ret_slice = slice;
	return 0;
}

void slice_free(struct slice *slice)
{
	if (!slice)
		return;
	if (slice->memory)
		munmap(slice->memory, slice->length);
	free(slice->image);
	free(slice);
}

int slice_refresh(struct slice *slice)
{
	struct arena_image image;
	int r = arena_file_read(slice->file, slice->offset, &image, sizeof(image));

	if (r < 0)
		return r;
	atomic_store(&slice->image->ticks, atomic_load(&image.ticks));
	atomic_store(&slice->image->squares, atomic_load(&image.squares));
	atomic_store(&slice->image->outside, atomic_load(&image.outside));
	atomic_store(&slice->image->blocked, atomic_load(&image.blocked));
	atomic_store(&slice->image->raw_used, atomic_load(&image.raw_used));
	atomic_store(&slice->image->closed_count, atomic_load(&image.closed_count));
	atomic_store(&slice->image->epoch, atomic_load(&image.epoch));
	atomic_store(&slice->image->armed, atomic_load(&image.armed));
	slice->image->signal = image.signal;
	atomic_store(&slice->image->thread_count, atomic_load(&image.thread_count));
	atomic_store(&slice->image->reason, atomic_load(&image.reason));
	atomic_store(&slice->image->error, atomic_load(&image.error));
	atomic_store(&slice->image->unarmed, atomic_load(&image.unarmed));
	atomic_store(&slice->image->executing, atomic_load(&image.executing));
	atomic_store(&slice->image->executing_cpu, atomic_load(&image.executing_cpu));
	slice->image->start_cpu = image.start_cpu;
	slice->image->own_cpu = image.own_cpu;
	memcpy(slice->image->exec_path, image.exec_path, ARENA_EXEC_PATH_MAX - 1);
	return 0;
}

const char *slice_string(const struct slice *slice, uint32_t offset)
{
	return offset < slice->image->raw ? (const char *)slice->image + offset : "";
}

/* The pcs of entry @index are those with floor(floor(pc / 2) * scale / 65536) == index. */
struct slice_bucket slice_bucket_at(const struct arena_region *region, uint64_t index,
				    uint64_t ticks)
{
	uint64_t first = (index * 65536 + region->scale - 1) / region->scale * 2;
	uint64_t next = ((index + 1) * 65536 + region->scale - 1) / region->scale * 2;

	if (next > region->length)
		next = region->length;
	return (struct slice_bucket){.address = region->address + first,
				     .size = next > first ? next - first : 1,
				     .ticks = ticks};
}

struct bucket_walk {
	const struct arena_region *region;
	uint64_t start; /* of the buckets in the arena */
	int (*function)(const struct slice_bucket *bucket, void *data);
	void *data;
};

static int walk_buckets(uint64_t offset, const void *bytes, size_t size, void *data)
{
	const struct bucket_walk *walk = data;
	const uint16_t *entries = bytes;

	for (size_t i = 0; i < size / sizeof(*entries); i++) {
		struct slice_bucket bucket;
		int r;

		/* Most are zero: four at a time. */
		if (i % 4 == 0 && i + 4 <= size / sizeof(*entries)) {
			uint64_t four;

			memcpy(&four, entries + i, sizeof(four));
			if (four == 0) {
				i += 3;
				continue;
			}
		}
		if (entries[i] == 0)
			continue;
		bucket = slice_bucket_at(walk->region,
					 (offset - walk->start) / sizeof(*entries) + i, entries[i]);
		r = walk->function(&bucket, walk->data);
		if (r != 0)
			return r;
	}
	return 0;
}

int slice_each_bucket(struct slice *slice, uint32_t index,
		      int (*function)(const struct slice_bucket *bucket, void *data), void *data)
{
	const struct arena_region *region = &slice->regions[index];
	struct bucket_walk walk = {.region = region,
				   .start = slice->offset + region->buckets,
				   .function = function,
				   .data = data};
	int r = arena_file_each_data(slice->file, walk.start, walk.start + region->buckets_size,
				     walk_buckets, &walk);

	return r != 0 ? r : slice_take_carries(slice, index, true, function, data);
}

struct raw_walk {
	uint64_t start;
	int (*function)(uint32_t index, uint64_t pc, uint64_t ticks, void *data);
	void *data;
};

static int walk_raw(uint64_t offset, const void *bytes, size_t size, void *data)
{
	const struct raw_walk *walk = data;
	const struct arena_raw *entries = bytes;
	uint32_t first = (uint32_t)((offset - walk->start) / sizeof(*entries));

	for (size_t i = 0; i < size / sizeof(*entries); i++) {
		uint64_t pc = atomic_load(&entries[i].pc), ticks = atomic_load(&entries[i].ticks);
		int r = pc && ticks ? walk->function(first + (uint32_t)i, pc, ticks, walk->data)
				    : 0;

		if (r != 0)
			return r;
	}
	return 0;
}

static int each_raw(const struct slice *slice, uint64_t offset, uint64_t count,
		    int (*function)(uint32_t index, uint64_t pc, uint64_t ticks, void *data),
		    void *data)
{
	struct raw_walk walk = {
		.start = slice->offset + offset, .function = function, .data = data};

	return arena_file_each_data(slice->file, walk.start,
				    walk.start + count * sizeof(struct arena_raw), walk_raw, &walk);
}

int slice_each_raw(const struct slice *slice,
		   int (*function)(uint32_t index, uint64_t pc, uint64_t ticks, void *data),
		   void *data)
{
	return each_raw(slice, slice->image->raw, ARENA_RAW_COUNT, function, data);
}

int slice_each_thread_count(const struct slice *slice,
			    int (*function)(uint32_t index, uint64_t key, uint64_t ticks,
					    void *data),
			    void *data)
{
	return slice->image->threads ? each_raw(slice, slice->image->thread_counts,
						ARENA_THREAD_COUNTS, function, data)
				     : 0;
}

int slice_read_closed(const struct slice *slice, struct arena_closed *ret_closed)
{
	int r = arena_file_read(slice->file, slice->offset + slice->image->closed, ret_closed,
				ARENA_CLOSED * sizeof(*ret_closed));

	for (size_t i = 0; r == 0 && i < ARENA_CLOSED; i++) {
		ret_closed[i].name[sizeof(ret_closed[i].name) - 1] = '\0';
		if (ret_closed[i].build_id_size > ARENA_BUILD_ID_MAX)
			ret_closed[i].build_id_size = 0;
	}
	return r;
}

int slice_forget_raw(const struct slice *slice, uint32_t index)
{
	const struct arena_raw nothing = {0};
	off_t at = (off_t)(slice->offset + slice->image->raw + index * sizeof(nothing));

	return pwrite(slice->file->fd, &nothing, sizeof(nothing), at) == sizeof(nothing) ? 0 : -EIO;
}

uint32_t slice_thread_count(const struct slice *slice)
{
	uint32_t count = slice->image->threads ? atomic_load(&slice->image->thread_count) : 0;

	return count < ARENA_THREADS ? count : ARENA_THREADS;
}

int slice_read_thread(const struct slice *slice, uint32_t number, struct arena_thread *ret_thread)
{
	int r = arena_file_read(slice->file,
				slice->offset + slice->image->threads +
					(number - 1) * (uint64_t)sizeof(*ret_thread),
				ret_thread, sizeof(*ret_thread));

	ret_thread->name[sizeof(ret_thread->name) - 1] = '\0';
	return r;
}

/* Takes entries out of @carry from its tail on, as far as they are written. */
static int take(struct profil_carry *carry, const struct arena_region *region,
		int (*function)(const struct slice_bucket *bucket, void *data), void *data)
{
	uint64_t tail = atomic_load(&carry->tail), head = atomic_load(&carry->head);

	for (uint32_t taken = 0; tail != head && taken < ARENA_CARRY_COUNT; taken++) {
		uint32_t *entry = &carry->entry[tail % ARENA_CARRY_COUNT];
		uint32_t index = __atomic_exchange_n(entry, 0, __ATOMIC_ACQUIRE);
		struct slice_bucket bucket;
		int r;

		if (index == 0)
			return 0;
		atomic_store(&carry->tail, ++tail);
		bucket = slice_bucket_at(region, index - 1, CARRY_TICKS);
		r = function(&bucket, data);
		if (r != 0)
			return r;
	}
	return 0;
}

int slice_take_carries(struct slice *slice, uint32_t index, bool all,
		       int (*function)(const struct slice_bucket *bucket, void *data), void *data)
{
	const struct arena_region *region = &slice->regions[index];
	uint64_t at = slice->offset + region->carry, page = at & ~(ARENA_ALIGNMENT - 1);
	const size_t size = 2 * ARENA_ALIGNMENT;
	struct profil_carry state;
	uint64_t waiting;
	char *memory;
	int r = arena_file_read(slice->file, at, &state, sizeof(state));

	if (r < 0)
		return r;
	waiting = atomic_load(&state.head) - atomic_load(&state.tail);
	slice->carries_full |= waiting >= ARENA_CARRY_COUNT;
	if (waiting == 0 || (!all && waiting < ARENA_CARRY_COUNT / 2))
		return 0;
	memory = arena_file_map(slice->file, page, size);
	if (!memory)
		return -errno;
	r = take((struct profil_carry *)(void *)(memory + (at - page)), region, function, data);
	munmap(memory, size);
	return r;
}

void slice_punch(const struct slice *slice)
{
	uint64_t size = (slice->length + ARENA_ALIGNMENT - 1) & ~(ARENA_ALIGNMENT - 1);

	arena_file_punch(slice->file, slice->offset, slice->offset + size);
}
