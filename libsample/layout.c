/* SPDX-License-Identifier: MIT */
/*
 * A slice: image header, regions, strings; then the sparse parts: the table of raw addresses, a
 * carry list for each region, the buckets, the ring of closed segments and, if threads are counted
 * apart, their table and their counts, and if profrun probes, the answers. Loaded objects are
 * walked twice, to measure and to fill; one that appears between the two walks is left out.
 */

#include "libsample/layout.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libsample/objects.h"
#include "libsample/sys.h"

#define COMMAND_LINE_MAX 512
#define CARRY_SIZE	 (sizeof(struct profil_carry) + ARENA_CARRY_COUNT * sizeof(uint32_t))

/* 64: no two parts share a cache line. */
static uint64_t align(uint64_t value)
{
	return (value + 63) & ~UINT64_C(63);
}

/* Bytes of a histogram that has an entry for every pc in @length bytes of text. */
static uint64_t buckets_size(uint64_t length, uint32_t scale)
{
	unsigned __int128 last = (unsigned __int128)((length - 1) / 2) * scale >> 16;

	return ((uint64_t)last + 1) * sizeof(uint16_t);
}

static int is_wanted(const struct layout *layout, const struct object_segment *segment)
{
	return !(layout->header->flags & ARENA_MAIN_ONLY) || (segment->flags & ARENA_REGION_MAIN);
}

struct measure {
	struct layout *layout;
	uint64_t strings, buckets;
};

static void measure_segment(const struct object_segment *segment, void *data)
{
	struct measure *measure = data;

	if (!is_wanted(measure->layout, segment))
		return;
	/* profil(3) knows one text segment: the main executable's first. */
	if ((measure->layout->header->flags & ARENA_MAIN_ONLY) && measure->layout->region_count > 0)
		return;
	measure->layout->region_count++;
	measure->strings += strlen(segment->name) + 1;
	measure->buckets += align(buckets_size(segment->length, measure->layout->header->scale));
}

/* The executable's path and the working directory; "" where the kernel refuses them. */
static void find_paths(struct layout *layout)
{
	static char executable[PATH_MAX], directory[PATH_MAX];
	long length = sys_call(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", executable,
			       sizeof(executable) - 1);

	executable[length > 0 ? length : 0] = '\0';
	if (sys_call(SYS_getcwd, directory, sizeof(directory)) <= 0)
		directory[0] = '\0';
	layout->executable = executable;
	layout->directory = directory;
}

static void add_threads(struct layout *layout)
{
	layout->threads = layout->length;
	layout->thread_counts =
		align(layout->threads + ARENA_THREADS * sizeof(struct arena_thread));
	layout->length = layout->thread_counts + ARENA_THREAD_COUNTS * sizeof(struct arena_raw);
}

static void add_answers(struct layout *layout)
{
	layout->answers = align(layout->length);
	layout->length = layout->answers + ARENA_ANSWERS * sizeof(struct arena_answer);
}

void layout_measure(struct layout *layout, const struct arena_header *header, int argc, char **argv)
{
	struct measure measure = {.layout = layout};

	*layout = (struct layout){.header = header, .argc = argc, .argv = argv};
	find_paths(layout);
	objects_each(measure_segment, &measure);
	measure.strings +=
		strlen(layout->executable) + strlen(layout->directory) + COMMAND_LINE_MAX + 2;
	layout->regions = align(sizeof(struct arena_image));
	layout->strings = layout->regions + layout->region_count * sizeof(struct arena_region);
	layout->raw = align(layout->strings + measure.strings);
	layout->carries = align(layout->raw + ARENA_RAW_COUNT * sizeof(struct arena_raw));
	layout->buckets = layout->carries + layout->region_count * align(CARRY_SIZE);
	layout->closed = layout->buckets + measure.buckets;
	layout->length = layout->closed + ARENA_CLOSED * sizeof(struct arena_closed);
	if (header->flags & ARENA_THREADS_APART)
		add_threads(layout);
	if (header->ticks == ARENA_TICKS_SIGNAL)
		add_answers(layout);
}

struct fill {
	const struct layout *layout;
	struct arena_image *image;
	uint64_t string, buckets; /* where the next one goes */
};

/* Appends @text; the offset at which it stands. */
static uint32_t add_string(struct fill *fill, const char *text)
{
	uint64_t offset = fill->string;
	size_t size = strlen(text) + 1;

	if (size > fill->layout->raw - offset)
		return (uint32_t)offset - 1; /* the end of the one before: an empty string */
	memcpy(layout_at(fill->image, offset), text, size);
	fill->string += size;
	return (uint32_t)offset;
}

static void fill_segment(const struct object_segment *segment, void *data)
{
	struct fill *fill = data;
	const struct layout *layout = fill->layout;
	uint64_t size = buckets_size(segment->length, layout->header->scale);
	struct arena_region *region = layout_at(fill->image, layout->regions);

	if (!is_wanted(layout, segment) || fill->image->region_count >= layout->region_count ||
	    size > layout->length - fill->buckets)
		return;
	region += fill->image->region_count;
	region->start = segment->start;
	region->length = segment->length;
	region->address = segment->address;
	region->buckets = fill->buckets;
	region->buckets_size = size;
	region->scale = layout->header->scale;
	region->flags = segment->flags;
	region->name = *segment->name ? add_string(fill, segment->name) : fill->image->executable;
	region->build_id_size = (uint32_t)segment->build_id_size;
	if (segment->build_id_size > 0)
		memcpy(region->build_id, segment->build_id, segment->build_id_size);
	region->carry = layout->carries + fill->image->region_count * align(CARRY_SIZE);
	fill->buckets += align(size);
	fill->image->region_count++;
}

static void fill_command_line(struct fill *fill)
{
	char line[COMMAND_LINE_MAX];
	size_t length = 0;

	for (int i = 0; i < fill->layout->argc; i++) {
		const char *argument = fill->layout->argv[i];
		size_t size = strlen(argument), room = sizeof(line) - 2 - length;

		if (size > room)
			size = room;
		if (i > 0 && size > 0)
			line[length++] = ' ';
		memcpy(line + length, argument, size);
		length += size;
		if (length >= sizeof(line) - 2)
			break;
	}
	line[length] = '\0';
	fill->image->command_line = add_string(fill, line);
}

/*
 * The process as profrun knows it: /proc was mounted where profrun runs, while getpid(2) in another
 * PID namespace says something else. profrun replaces it when it handed over the arena itself.
 */
static void fill_identity(struct arena_image *image)
{
	char text[16];
	long length = sys_call(SYS_readlinkat, AT_FDCWD, "/proc/self", text, sizeof(text) - 1);

	text[length > 0 ? length : 0] = '\0';
	image->pid = (uint32_t)(length > 0 ? (long)strtoul(text, NULL, 10) : sys_call(SYS_getpid));
	image->parent = (uint32_t)sys_call(SYS_getppid);
}

void layout_fill(const struct layout *layout, struct arena_image *image)
{
	struct fill fill = {.layout = layout,
			    .image = image,
			    .string = layout->strings,
			    .buckets = layout->buckets};

	image->nonce = layout->header->nonce;
	image->start_time = sys_clock(CLOCK_MONOTONIC);
	fill_identity(image);
	image->regions = layout->regions;
	image->raw = layout->raw;
	image->closed = layout->closed;
	image->threads = layout->threads;
	image->thread_counts = layout->thread_counts;
	image->answers = layout->answers;
	image->executable = add_string(&fill, layout->executable);
	image->directory = add_string(&fill, layout->directory);
	fill_command_line(&fill);
	objects_each(fill_segment, &fill);
}

/*
 * Word by word, which the compiler cannot make a memcpy(3) of: a forked child might not have met
 * that page of the C library otherwise.
 */
static void copy_words(void *to, const void *from, uint64_t size)
{
	for (uint64_t i = 0; i < size / sizeof(uint64_t); i++) {
		uint64_t word = __atomic_load_n((const uint64_t *)from + i, __ATOMIC_RELAXED);

		__atomic_store_n((uint64_t *)to + i, word, __ATOMIC_RELAXED);
	}
}

void layout_copy(struct arena_image *image, const struct arena_image *parent, uint64_t head,
		 uint32_t pid)
{
	copy_words(image, parent, head);
	image->pid = pid;
	image->parent = parent->pid;
	image->start_cpu = 0; /* its own clock, not read yet */
	if (!pid)
		fill_identity(image);
	atomic_store(&image->ticks, 0);
	atomic_store(&image->squares, 0);
	atomic_store(&image->outside, 0);
	atomic_store(&image->blocked, 0);
	atomic_store(&image->raw_used, 0);
	atomic_store(&image->thread_count, 0);
	atomic_store(&image->closed_count, 0);
	atomic_store(&image->armed, 0);
	atomic_store(&image->births, 0);
	atomic_store(&image->sending, 0);
	atomic_store(&image->woken, 0);
	atomic_store(&image->reason, ARENA_REASON_NONE);
	atomic_store(&image->unarmed, 0);
	atomic_store(&image->executing, 0);
}
