/* SPDX-License-Identifier: MIT */
/*
 * Does to the arena that it is profiled in what the argument names, before and after it works for a
 * while. Ends with status 5, profiled or not.
 */

#include "tests/targets/truth.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEAD_BYTES (1L << 20)
#define SLOT_BYTES (1L << 16)

TRUTH_BURN(in_hostile, 3)

static void overwrite(int fd, int value, off_t start, size_t size)
{
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, start);

	if (map == MAP_FAILED)
		return;
	memset(map, value, size);
	munmap(map, size);
}

static void do_truncate(int fd)
{
	if (ftruncate(fd, 0) == 0)
		puts("truncated");
}

static void do_grow(int fd)
{
	if (ftruncate(fd, (off_t)1 << 50) == 0)
		puts("grown");
}

static void do_seal(int fd)
{
	fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_WRITE | F_SEAL_SEAL);
}

static void do_zero(int fd)
{
	overwrite(fd, 0, 0, HEAD_BYTES + SLOT_BYTES);
}

static void do_fill(int fd)
{
	overwrite(fd, 0xff, 0, HEAD_BYTES + SLOT_BYTES);
}

static void do_scribble(int fd)
{
	uint64_t random = 1;

	for (off_t at = 0; at < HEAD_BYTES + SLOT_BYTES; at += 8) {
		random = random * 6364136223846793005U + 1442695040888963407U;
		if (pwrite(fd, &random, 8, at) != 8)
			return;
	}
}

/* What a daemon does first. */
static void do_close(int fd)
{
	(void)fd;
	closefrom(3);
}

static const struct {
	const char *name;
	void (*act)(int fd);
} acts[] = {
	{.name = "truncate", .act = do_truncate}, {.name = "grow", .act = do_grow},
	{.name = "seal", .act = do_seal},	  {.name = "zero", .act = do_zero},
	{.name = "fill", .act = do_fill},	  {.name = "scribble", .act = do_scribble},
	{.name = "close", .act = do_close},
};

/* The control variable is the arena's path and a colon with what only the library needs. */
static int open_arena(void)
{
	const char *variable = getenv("PROFRUN_ARENA");
	char path[64] = "";

	if (!variable || sscanf(variable, "%63[^:]", path) != 1)
		return -1;
	return open(path, O_RDWR | O_CLOEXEC);
}

static void act(const char *name, int fd)
{
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
		if (strcmp(acts[i].name, name) == 0)
			acts[i].act(fd);
	}
}

int main(int argc, char **argv)
{
	int fd = open_arena();

	for (int i = 0; i < 3; i++) {
		if (argc > 1)
			act(argv[1], fd);
		in_hostile(100000000);
	}
	return 5;
}
