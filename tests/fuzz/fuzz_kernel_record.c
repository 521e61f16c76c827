/* SPDX-License-Identifier: MIT */
/* The parser of the kernel's records: its strings must lie in the record and end there. */

#include <stdlib.h>
#include <string.h>

#include "cli/ticks/kernel_record.h"
#include "tests/fuzz/fuzz.h"

static void check_string(const char *text, const char *bytes, size_t size)
{
	if (text && (text < bytes || !memchr(text, '\0', size - (size_t)(text - bytes))))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kernel_record record;
	/* Of exactly that size, so that reading past it is seen. */
	char *bytes = malloc(size + !size);

	if (!bytes)
		return 0;
	memcpy(bytes, data, size);
	if (kernel_record_parse(bytes, size, &record)) {
		check_string(record.name, bytes, size);
		check_string(record.piece.path, bytes, size);
	}
	free(bytes);
	return 0;
}
