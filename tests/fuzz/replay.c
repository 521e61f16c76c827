/* SPDX-License-Identifier: MIT */
/*
 * Stands in for libFuzzer where the compiler has none: gives the fuzz target each file that is
 * named, then broken copies of it, the same ones in every run.
 */

#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/util.h"

#define BROKEN_COPIES 200

static uint64_t state = 1;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint8_t *read_file(const char *path, size_t *ret_size)
{
	AUTO_FILE FILE *file = fopen(path, "re");
	AUTO_FREE uint8_t *data = NULL;
	long size;

	if (!file || fseek(file, 0, SEEK_END) != 0)
		return NULL;
	size = ftell(file);
	data = malloc((size_t)size + 1);
	if (!data || fseek(file, 0, SEEK_SET) != 0)
		return NULL;
	*ret_size = fread(data, 1, (size_t)size, file);
	return steal_ptr(data);
}

/* Where the structure is: half of the changes hit the first or last 4 KiB. */
static size_t choose_position(size_t size)
{
	size_t edge = size < 4096 ? size : 4096;

	switch (next_random() % 4) {
	case 0:
		return next_random() % edge;
	case 1:
		return size - 1 - next_random() % edge;
	default:
		return next_random() % size;
	}
}

static void break_copy(uint8_t *data, size_t size)
{
	static const uint8_t values[] = {0x00, 0xff, 0x7f, 0x80, 0x01};
	size_t count = 1 + next_random() % 16;

	for (size_t i = 0; i < count; i++) {
		uint64_t choice = next_random() % (2 * sizeof(values));

		data[choose_position(size)] =
			choice < sizeof(values) ? values[choice] : (uint8_t)next_random();
	}
}

/* An exact allocation, so that a sanitizer sees a byte too many. */
static int run_copy(const uint8_t *data, size_t size, size_t kept, int broken)
{
	AUTO_FREE uint8_t *copy = malloc(kept ? kept : 1);

	if (!copy || kept > size)
		return -1;
	memcpy(copy, data, kept);
	if (broken && kept)
		break_copy(copy, kept);
	LLVMFuzzerTestOneInput(copy, kept);
	return 0;
}

static int replay(const char *path)
{
	AUTO_FREE uint8_t *data = NULL;
	size_t size = 0, kept;

	data = read_file(path, &size);
	if (!data || run_copy(data, size, size, 0) < 0)
		return -1;
	for (int i = 0; i < BROKEN_COPIES; i++) {
		kept = i % 8 || !size ? size : next_random() % size;
		if (run_copy(data, size, kept, 1) < 0)
			return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
	for (int i = 1; i < argc; i++) {
		if (replay(argv[i]) == 0)
			continue;
		fprintf(stderr, "cannot replay %s\n", argv[i]);
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
