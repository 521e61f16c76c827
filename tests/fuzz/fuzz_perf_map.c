/* SPDX-License-Identifier: MIT */
/* The reader of perf maps, which any program may write. */

#include "cli/collect/perf_map.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_map_name names[] = {
		{0, NULL},	    {0x1000, NULL}, {0x1008, NULL}, {0x7f0000001234, NULL},
		{UINT64_MAX, NULL},
	};
	struct string_pool *pool = string_pool_new();
	FILE *stream = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
	unsigned bad;

	if (pool && stream)
		perf_map_read(stream, names, sizeof(names) / sizeof(names[0]), pool, &bad);
	if (stream)
		fclose(stream);
	string_pool_free(pool);
	return 0;
}
