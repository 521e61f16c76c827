/* SPDX-License-Identifier: MIT */
/*
 * Reading numbers from bytes that may be hostile: every read is checked, and a read past the end
 * makes the reader fail for good, with zeros from then on. A caller may so read a whole record and
 * ask once whether it was there.
 */
#pragma once

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	const uint8_t *data; /* NULL: none */
	size_t size;
};

struct reader {
	const uint8_t *at, *end;
	bool big_endian;
	bool failed;
};

static inline struct reader reader_of(struct bytes bytes, bool big_endian)
{
	return (struct reader){.at = bytes.data,
			       .end = bytes.data ? bytes.data + bytes.size : NULL,
			       .big_endian = big_endian,
			       .failed = !bytes.data};
}

static inline size_t reader_left(const struct reader *reader)
{
	return (size_t)(reader->end - reader->at);
}

static inline void reader_fail(struct reader *reader)
{
	reader->at = reader->end;
	reader->failed = true;
}

static inline bool reader_has(struct reader *reader, uint64_t size)
{
	if (size <= reader_left(reader))
		return true;
	reader_fail(reader);
	return false;
}

static inline void reader_skip(struct reader *reader, uint64_t size)
{
	if (reader_has(reader, size))
		reader->at += size;
}

static inline uint8_t reader_u8(struct reader *reader)
{
	return reader_has(reader, 1) ? *reader->at++ : 0;
}

static inline uint16_t reader_u16(struct reader *reader)
{
	uint16_t value;

	if (!reader_has(reader, sizeof(value)))
		return 0;
	memcpy(&value, reader->at, sizeof(value));
	reader->at += sizeof(value);
	return reader->big_endian ? be16toh(value) : le16toh(value);
}

static inline uint32_t reader_u32(struct reader *reader)
{
	uint32_t value;

	if (!reader_has(reader, sizeof(value)))
		return 0;
	memcpy(&value, reader->at, sizeof(value));
	reader->at += sizeof(value);
	return reader->big_endian ? be32toh(value) : le32toh(value);
}

static inline uint64_t reader_u64(struct reader *reader)
{
	uint64_t value;

	if (!reader_has(reader, sizeof(value)))
		return 0;
	memcpy(&value, reader->at, sizeof(value));
	reader->at += sizeof(value);
	return reader->big_endian ? be64toh(value) : le64toh(value);
}

/* An unsigned number of 1, 2, 3, 4 or 8 bytes; anything else fails. */
static inline uint64_t reader_unsigned(struct reader *reader, unsigned size)
{
	uint64_t low;

	switch (size) {
	case 1:
		return reader_u8(reader);
	case 2:
		return reader_u16(reader);
	case 3:
		low = reader_u16(reader);
		return reader->big_endian ? low << 8 | reader_u8(reader)
					  : low | (uint64_t)reader_u8(reader) << 16;
	case 4:
		return reader_u32(reader);
	case 8:
		return reader_u64(reader);
	default:
		reader_fail(reader);
		return 0;
	}
}

/*
 * The length that units of DWARF and entries of .eh_frame begin with; *ret_offset_size is then the
 * size of offsets in them: 8 where the length is of 64 bits, behind a mark, else 4.
 */
static inline uint64_t reader_length(struct reader *reader, uint8_t *ret_offset_size)
{
	const uint32_t length = reader_u32(reader);

	*ret_offset_size = length == UINT32_MAX ? 8 : 4;
	return length == UINT32_MAX ? reader_u64(reader) : length;
}

static inline uint64_t reader_uleb(struct reader *reader)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = reader_u8(reader);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

static inline int64_t reader_sleb(struct reader *reader)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = reader_u8(reader);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && byte & 0x40)
		value |= ~UINT64_C(0) << shift;
	return (int64_t)value;
}

/* The string that starts here, NULL when its end is missing. */
static inline const char *reader_string(struct reader *reader)
{
	const uint8_t *start = reader->at;
	const uint8_t *nul = reader_left(reader) ? memchr(start, 0, reader_left(reader)) : NULL;

	if (!nul) {
		reader_fail(reader);
		return NULL;
	}
	reader->at = nul + 1;
	return (const char *)start;
}
