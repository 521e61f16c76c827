/* SPDX-License-Identifier: MIT */
/* The reader of the arena, where a target can write anything: the input is a slice's beginning. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/collect/images.h"
#include "tests/fuzz/fuzz.h"

#define SLICE_LENGTH (UINT64_C(32) << 20)

static const struct arena_settings settings = {
	.ticks = ARENA_TICKS_LIBC, .rate = 100, .scale = 0x10000};

static struct arena_file *make_arena(void)
{
	struct arena_file *file;

	return arena_file_new(&settings, &file, NULL) < 0 ? NULL : file;
}

static void read_image(struct arena_file *file, const struct arena_slot *slot)
{
	struct profile *profile = profile_new();
	struct image *image;

	if (profile && image_load(profile, file, slot, &image) == 0) {
		image_add_process(image, profile, 0);
		image_visit(image, profile);
		image_drain(image, profile, &settings);
		image_free(image);
	}
	profile_free(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena_file *file;
	const struct arena_slot slot = {.slice = ARENA_SLICES_OFFSET,
					.length = SLICE_LENGTH,
					.pid = 1,
					.state = ARENA_SLOT_READY};
	struct arena_image image;

	if (!file)
		file = make_arena();
	if (!file || size < sizeof(image) || size > SLICE_LENGTH)
		return 0;
	arena_file_punch(file, ARENA_SLICES_OFFSET, ARENA_SLICES_OFFSET + SLICE_LENGTH);
	memcpy(&image, data, sizeof(image));
	image.nonce = file->nonce;
	if (pwrite(file->fd, data, size, ARENA_SLICES_OFFSET) != (ssize_t)size ||
	    pwrite(file->fd, &image, sizeof(image), ARENA_SLICES_OFFSET) != sizeof(image))
		abort();
	read_image(file, &slot);
	return 0;
}
