/* SPDX-License-Identifier: MIT */
/* The reader of .eh_frame. */

#include <stdlib.h>

#include "symbolize/unwind.h"
#include "symbolize/util.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/sections.h"

static const char *const names[] = {".eh_frame"};

static int look_at(void *data, const struct symbol *symbol)
{
	(void)data;
	if (symbol->end < symbol->start)
		abort();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf_section sections[ARRAY_SIZE(names) + 2];
	struct elf_file file;

	sections_make(names, ARRAY_SIZE(names), data, size, sections, &file);
	unwind_each(&file, look_at, NULL);
	file.big_endian = true;
	file.is_64 = false;
	unwind_each(&file, look_at, NULL);
	return 0;
}
