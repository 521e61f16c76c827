/* SPDX-License-Identifier: MIT */
/*
 * Code that is made at run time, in memory of no file: "hot code" and "cold code" have names in the
 * perf map, with and without 0x, what is called nameless has none. The argument "link" makes the
 * map a symbolic link, which nobody may follow.
 */

#include "tests/targets/truth.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PLACE 4096

/* A loop of @turns turns, as the compilers of this machine would make it. */
#if defined(__x86_64__)
static const unsigned char code[] = {
	0x48, 0x85, 0xff,	/* test %rdi, %rdi */
	0x74, 0x0a,		/* je to the end */
	0x48, 0x0f, 0xaf, 0xc0, /* imul %rax, %rax */
	0x48, 0xff, 0xcf,	/* dec %rdi */
	0x75, 0xf7,		/* jne to imul */
	0x90,			/* nop */
	0xc3,			/* ret */
};
#else
static const uint32_t code[] = {
	0xb4000080, /* cbz x0, to the end */
	0x9b017c21, /* mul x1, x1, x1 */
	0xf1000400, /* subs x0, x0, #1 */
	0x54ffffc1, /* b.ne to mul */
	0xd65f03c0, /* ret */
};
#endif

static char *memory;

static void burn_hot(uint64_t turns)
{
	((void (*)(uint64_t))(void *)memory)(turns);
}

static void burn_cold(uint64_t turns)
{
	((void (*)(uint64_t))(void *)(memory + PLACE))(turns);
}

static void burn_nameless(uint64_t turns)
{
	((void (*)(uint64_t))(void *)(memory + 2 * PLACE))(turns);
}

static struct truth_part parts[] = {
	{.name = "hot", .burn = burn_hot, .share = 0.5},
	{.name = "cold", .burn = burn_cold, .share = 0.3},
	{.name = "nameless", .burn = burn_nameless, .share = 0.2},
};

static void write_map(const char *path)
{
	FILE *file = fopen(path, "we");

	if (!file)
		exit(1);
	/* What was there before. */
	fprintf(file, "%" PRIxPTR " %x stale\n", (uintptr_t)memory, 2 * PLACE);
	fprintf(file, "0x%" PRIxPTR " 0x%x hot code\n", (uintptr_t)memory, PLACE);
	fprintf(file, "%" PRIxPTR " %x cold code\n", (uintptr_t)memory + PLACE, PLACE);
	fprintf(file, "what is this\n");
	fclose(file);
}

int main(int argc, char **argv)
{
	char path[64], other[80];
	struct truth truth;

	memory = mmap(NULL, 3 * PLACE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	for (int i = 0; i < 3; i++)
		memcpy(memory + i * PLACE, code, sizeof(code));
	mprotect(memory, 3 * PLACE, PROT_READ | PROT_EXEC);
	__builtin___clear_cache(memory, memory + 3 * PLACE);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	snprintf(other, sizeof(other), "%s.link", path);
	if (argc > 1 && strcmp(argv[1], "link") == 0 && symlink(other, path) != 0)
		return 1;
	write_map(path);
	truth_init(&truth, parts, 3, 0);
	truth_rounds(&truth, 2, 20);
	truth_end_thread(&truth);
	truth_write(&truth, 1);
	printf("%s\n", path);
	return 0;
}
