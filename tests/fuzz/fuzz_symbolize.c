/* SPDX-License-Identifier: MIT */
/* The readers of ELF and DWARF: the input is a whole file, asked for everything. */

#include <stdlib.h>

#include "symbolize/symbolize.h"
#include "symbolize/util.h"
#include "tests/fuzz/fuzz.h"

/* Where linkers put code by default, close together so that functions of all kinds are met. */
#define FIRST_ADDRESS 0x1000
#define STEP	      4
#define COUNT	      512

static void ask(struct sym_object *object, unsigned flags)
{
	static uint64_t addresses[COUNT + 2];
	static struct sym_answer answers[COUNT + 2];

	addresses[0] = 0;
	for (size_t i = 1; i <= COUNT; i++)
		addresses[i] = FIRST_ADDRESS + i * STEP;
	addresses[COUNT + 1] = UINT64_MAX;
	if (sym_object_find(object, addresses, COUNT + 2, flags, answers, NULL) < 0)
		return;
	for (size_t i = 0; i < COUNT + 2; i++)
		for (size_t frame = 0; frame < answers[i].frame_count; frame++)
			if (!answers[i].frames[frame].function)
				abort();
}

static void cut(struct sym_object *object)
{
	const struct sym_range ranges[] = {{0, 0x1100}, {0x1100, 0x2000}, {0x4000, UINT64_MAX}};
	uint64_t *cuts;
	size_t count;

	if (sym_object_cuts(object, ranges, ARRAY_SIZE(ranges), &cuts, &count, NULL) == 0)
		free(cuts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sym_object *object;

	if (sym_object_open_memory("fuzz", data, size, &object, NULL) < 0)
		return 0;
	ask(object, 0);
	ask(object, SYM_LINES | SYM_INLINES);
	ask(object, SYM_LINES | SYM_NO_DEMANGLE | SYM_CLONES);
	cut(object);
	sym_object_at_syscall(object, 0x1100);
	sym_object_close(object);
	return 0;
}
