/* SPDX-License-Identifier: MIT */
/* Numbers and strings from bytes that end too early. */

#include "symbolize/reader.h"

#include <criterion/criterion.h>

static struct reader reader_on(const void *data, size_t size, bool big_endian)
{
	return reader_of((struct bytes){data, size}, big_endian);
}

Test(reader, numbers_come_in_the_byte_order_asked)
{
	static const uint8_t data[] = {1, 2, 3, 4, 5, 6, 7, 8};
	struct reader little = reader_on(data, 8, false), big = reader_on(data, 8, true);

	cr_expect_eq(reader_u64(&little), UINT64_C(0x0807060504030201));
	cr_expect_eq(reader_u64(&big), UINT64_C(0x0102030405060708));
	little = reader_on(data, 3, false);
	big = reader_on(data, 3, true);
	cr_expect_eq(reader_unsigned(&little, 3), 0x030201);
	cr_expect_eq(reader_unsigned(&big, 3), 0x010203);
}

Test(reader, a_read_past_the_end_fails_for_good)
{
	static const uint8_t data[] = {1, 2, 3, 4};
	struct reader reader = reader_on(data, 4, false);

	cr_expect_eq(reader_u16(&reader), 0x0201);
	cr_expect_eq(reader_u32(&reader), 0);
	cr_expect(reader.failed);
	cr_expect_eq(reader_u8(&reader), 0);
	cr_expect_eq(reader_left(&reader), 0);
}

Test(reader, no_bytes_at_all_are_a_failure)
{
	struct reader reader = reader_on(NULL, 0, false);

	cr_expect(reader.failed);
	cr_expect_eq(reader_uleb(&reader), 0);
	cr_expect_null(reader_string(&reader));
}

Test(reader, numbers_of_variable_length)
{
	static const uint8_t data[] = {0x7f, 0x80, 0x01, 0xe5, 0x8e, 0x26, 0x7f, 0x80, 0x7f};
	struct reader reader = reader_on(data, sizeof(data), false);

	cr_expect_eq(reader_uleb(&reader), 127);
	cr_expect_eq(reader_uleb(&reader), 128);
	cr_expect_eq(reader_uleb(&reader), 624485);
	cr_expect_eq(reader_sleb(&reader), -1);
	cr_expect_eq(reader_sleb(&reader), -128);
	cr_expect_not(reader.failed);
}

Test(reader, a_length_tells_which_form_it_has)
{
	static const uint8_t data[] = {1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 2,	 0,
				       0, 0, 0, 0, 0,	 0,    0xff, 0xff, 0xff, 0xff};
	struct reader reader = reader_on(data, sizeof(data), false);
	uint8_t offset_size;

	cr_expect_eq(reader_length(&reader, &offset_size), 1);
	cr_expect_eq(offset_size, 4);
	cr_expect_eq(reader_length(&reader, &offset_size), 2);
	cr_expect_eq(offset_size, 8);
	cr_expect_not(reader.failed);
	cr_expect_eq(reader_length(&reader, &offset_size), 0);
	cr_expect(reader.failed);
}

Test(reader, a_number_that_never_ends_stops_at_the_end)
{
	static const uint8_t data[20] = {[0 ... 19] = 0x80};
	struct reader reader = reader_on(data, sizeof(data), false);

	reader_uleb(&reader);
	cr_expect(reader.failed);
}

Test(reader, a_string_must_end)
{
	struct reader reader = reader_on("one\0two", 7, false);

	cr_expect_str_eq(reader_string(&reader), "one");
	cr_expect_null(reader_string(&reader));
	cr_expect(reader.failed);
}
