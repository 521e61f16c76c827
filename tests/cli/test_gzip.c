/* SPDX-License-Identifier: MIT */
/* gzip, as a stream out and as a whole in. */

#include "cli/profile/gzip.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char *packed;
static size_t packed_size;

static void compress_parts(const char *bytes, size_t size, size_t part)
{
	FILE *stream = open_memstream(&packed, &packed_size);
	struct gzip *gzip = gzip_open(stream);

	for (size_t at = 0; at < size; at += part)
		cr_assert_eq(gzip_write(gzip, bytes + at, size - at < part ? size - at : part), 0);
	cr_assert_eq(gzip_close(gzip), 0);
	fclose(stream);
}

static void drop(void)
{
	free(packed);
}

TestSuite(gzip, .fini = drop);

Test(gzip, what_goes_in_comes_out)
{
	static char bytes[300000];
	uint8_t *plain;
	size_t size;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * i / 7);
	compress_parts(bytes, sizeof(bytes), 777);
	cr_assert_eq(gzip_inflate(packed, packed_size, sizeof(bytes) + 1, &plain, &size), 0);
	cr_assert_eq(size, sizeof(bytes));
	cr_assert_eq(memcmp(plain, bytes, size), 0);
	free(plain);
}

Test(gzip, members_in_a_row_are_one_file)
{
	char twice[200];
	uint8_t *plain;
	size_t size;

	compress_parts("abc", 3, 3);
	memcpy(twice, packed, packed_size);
	memcpy(twice + packed_size, packed, packed_size);
	cr_assert_eq(gzip_inflate(twice, 2 * packed_size, 100, &plain, &size), 0);
	cr_assert_eq(size, 6);
	cr_assert_eq(memcmp(plain, "abcabc", 6), 0);
	free(plain);
}

Test(gzip, more_than_the_limit_is_refused)
{
	static const char zeros[100000];
	uint8_t *plain;
	size_t size;

	compress_parts(zeros, sizeof(zeros), sizeof(zeros));
	cr_assert_eq(gzip_inflate(packed, packed_size, 99999, &plain, &size), -EFBIG);
}

Test(gzip, a_changed_or_missing_byte_is_noticed)
{
	uint8_t *plain;
	size_t size;

	compress_parts("some text that is long enough", 29, 29);
	cr_assert_eq(gzip_inflate(packed, packed_size - 1, 1000, &plain, &size), -EINVAL);
	packed[packed_size - 6] ^= 1;
	cr_assert_eq(gzip_inflate(packed, packed_size, 1000, &plain, &size), -EINVAL);
}
