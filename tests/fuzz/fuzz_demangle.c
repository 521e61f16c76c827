/* SPDX-License-Identifier: MIT */
/* Which demangler a name is given to, and what becomes of its suffixes. */

#include <stdlib.h>
#include <string.h>

#include "symbolize/demangle.h"
#include "symbolize/util.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *name = strndup((const char *)data, size);
	size_t length, shorter;
	bool numbered;

	if (!name)
		return 0;
	free(demangle(name));
	length = strlen(name);
	while ((shorter = demangle_clone_start(name, length, &numbered)) < length)
		length = shorter;
	if (shorter > length)
		abort();
	return 0;
}
