/* SPDX-License-Identifier: MIT */
/* The readers of DWARF: the input is the contents of its sections. */

#include <stdlib.h>

#include "symbolize/debuginfo.h"
#include "symbolize/util.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/sections.h"

#define STEP  8
#define COUNT ((TEXT_END - TEXT_START) / STEP)

static const char *const names[] = DWARF_NAMES;

static void look_at(const struct debug_answer *answer)
{
	for (size_t i = 0; i < answer->count; i++)
		debug_frame_name(&answer->frames[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint64_t addresses[COUNT];
	static struct debug_answer answers[COUNT];
	struct elf_section sections[ARRAY_SIZE(names) + 2];
	struct arena arena = {0};
	struct notes notes = {.count = 0};
	struct elf_file file;
	struct debuginfo *info;

	sections_make(names, ARRAY_SIZE(names), data, size, sections, &file);
	for (size_t i = 0; i < COUNT; i++) {
		addresses[i] = TEXT_START + i * STEP;
		answers[i] = (struct debug_answer){NULL, 0};
	}
	info = debuginfo_open(&file, file.path, &notes);
	if (info && debuginfo_find(info, addresses, COUNT, &arena, answers) == 0)
		for (size_t i = 0; i < COUNT; i++)
			look_at(&answers[i]);
	debuginfo_close(info);
	notes_done(&notes);
	arena_done(&arena);
	return 0;
}
