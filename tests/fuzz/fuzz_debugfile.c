/* SPDX-License-Identifier: MIT */
/* Links to other files, and the small file that may be inside. */

#include <stdlib.h>

#include "symbolize/debugfile.h"
#include "symbolize/dwarf_alternate.h"
#include "symbolize/util.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/sections.h"

static const char *const names[] = {".gnu_debuglink", ".gnu_debugdata", ".gnu_debugaltlink"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf_section sections[ARRAY_SIZE(names) + 2];
	struct notes notes = {.count = 0};
	struct elf_file file;
	struct dwarf dwarf;

	sections_make(names, ARRAY_SIZE(names), data, size, sections, &file);
	file.path = (char *)"/proc/self/exe"; /* links are relative to what exists */
	elf_file_close(debugfile_open(&file, &notes));
	elf_file_close(debugfile_open_embedded(&file, &notes));
	dwarf_init(&dwarf, &file, false, &notes);
	dwarf_alternate(&dwarf);
	dwarf_done(&dwarf);
	notes_done(&notes);
	return 0;
}
