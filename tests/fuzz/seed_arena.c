/* SPDX-License-Identifier: MIT */
/* Writes a slice with two regions, counts, a raw address and a carry: what fuzz_arena starts from.
 */

#include <stdio.h>
#include <string.h>

#include "libsample/arena.h"

static struct {
	struct arena_image image;
	struct arena_region regions[2];
	char strings[64];
	struct arena_raw raw[ARENA_RAW_COUNT];
	uint64_t carry_head, carry_tail; /* struct profil_carry */
	uint32_t carry_entries[ARENA_CARRY_COUNT];
	struct arena_thread threads[2];
	struct arena_raw thread_counts[64]; /* the rest of the table is zero */
	uint16_t buckets[2][256] __attribute__((aligned(8)));
} seed;

#define OFFSET(member) ((uint64_t)((char *)&(member) - (char *)&seed))

static void fill_region(int i)
{
	struct arena_region *region = &seed.regions[i];

	region->start = 0x400000 + (uint64_t)i * 0x1000;
	region->address = 0x1000;
	region->length = 512;
	region->buckets = OFFSET(seed.buckets[i]);
	region->buckets_size = sizeof(seed.buckets[i]);
	region->scale = i ? 0x8000 : 0x10000;
	region->name = (uint32_t)OFFSET(seed.strings);
	region->build_id_size = 20;
	region->carry = OFFSET(seed.carry_head);
	seed.buckets[i][3] = 7;
	seed.buckets[i][255] = 65535;
}

int main(void)
{
	struct arena_image *image = &seed.image;

	strcpy(seed.strings, "/bin/true");
	image->pid = 1;
	image->region_count = 2;
	image->regions = OFFSET(seed.regions);
	image->executable = image->command_line = (uint32_t)OFFSET(seed.strings);
	image->directory = image->executable + 9;
	image->raw = OFFSET(seed.raw);
	image->raw_used = 1;
	seed.raw[5].pc = 0x7f0000000000;
	seed.raw[5].ticks = 3;
	image->threads = OFFSET(seed.threads);
	image->thread_counts = OFFSET(seed.thread_counts);
	image->thread_count = 2;
	seed.threads[0].tid = 1;
	seed.threads[1].tid = 2;
	strcpy(seed.threads[1].name, "second");
	seed.thread_counts[4].pc = ARENA_THREAD_KEY(2, 0x400006);
	seed.thread_counts[4].ticks = 5;
	seed.thread_counts[5].pc = ARENA_THREAD_KEY(1, 0x7f0000000000);
	seed.thread_counts[5].ticks = 9;
	seed.carry_head = 1;
	seed.carry_entries[0] = 4;
	fill_region(0);
	fill_region(1);
	return fwrite(&seed, sizeof(seed), 1, stdout) == 1 ? 0 : 1;
}
