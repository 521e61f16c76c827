/* SPDX-License-Identifier: MIT */
/* Seeds for what reads sections: seed_sections dwarf|unwind|debugfile FILE, or a made-up link. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/util.h"
#include "tests/fuzz/sections.h"

static const char *const dwarf[] = DWARF_NAMES;
static const char *const unwind[] = {".eh_frame"};
static const char *const debugfile[] = {".gnu_debuglink", ".gnu_debugdata", ".gnu_debugaltlink"};

static const struct {
	const char *name;
	const char *const *names;
	size_t count;
} kinds[] = {
	{"dwarf", dwarf, ARRAY_SIZE(dwarf)},
	{"unwind", unwind, ARRAY_SIZE(unwind)},
	{"debugfile", debugfile, ARRAY_SIZE(debugfile)},
};

/* Its length, a name padded to four bytes, a checksum. */
static const char debuglink[] = "\020\0name.debug\0\0\1\2\3\4";

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "link") == 0)
		return fwrite(debuglink, 1, sizeof(debuglink) - 1, stdout) == sizeof(debuglink) - 1
			       ? EXIT_SUCCESS
			       : EXIT_FAILURE;
	for (size_t i = 0; i < ARRAY_SIZE(kinds) && argc == 3; i++)
		if (strcmp(kinds[i].name, argv[1]) == 0 &&
		    sections_write(kinds[i].names, kinds[i].count, argv[2]) == 0)
			return EXIT_SUCCESS;
	return EXIT_FAILURE;
}
