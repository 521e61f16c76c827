/* SPDX-License-Identifier: MIT */
/*
 * Inflating sections. The size that a header claims is believed only as far as the method could
 * reach it, so that a header of a few bytes cannot ask for terabytes.
 */

#include "symbolize/inflate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "symbolize/util.h"

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2 /* newer than the C library's elf.h */
#endif

/* How many bytes can come out per byte that goes in, at most. */
#define ZLIB_RATIO 1040
#define ZSTD_RATIO 44000

#define XZ_MEMORY_MAX  (UINT64_C(256) << 20)
#define XZ_CONTENT_MAX (UINT64_C(1) << 30)

static int inflate_zlib(struct bytes packed, uint8_t *contents, size_t size)
{
	z_stream stream = {.next_in = (Bytef *)packed.data, .next_out = contents};
	size_t in_left = packed.size, out_left = size;
	int r = Z_OK;

	if (inflateInit(&stream) != Z_OK)
		return -ENOMEM;
	while (r == Z_OK) {
		if (stream.avail_in == 0) {
			stream.avail_in = in_left < UINT32_MAX ? (uInt)in_left : UINT32_MAX;
			in_left -= stream.avail_in;
		}
		if (stream.avail_out == 0) {
			stream.avail_out = out_left < UINT32_MAX ? (uInt)out_left : UINT32_MAX;
			out_left -= stream.avail_out;
		}
		r = inflate(&stream, Z_NO_FLUSH);
	}
	out_left += stream.avail_out;
	inflateEnd(&stream);
	return out_left == 0 && (r == Z_STREAM_END || r == Z_BUF_ERROR) ? 0 : -EBADMSG;
}

#ifdef HAVE_ZSTD
static int inflate_zstd(struct bytes packed, uint8_t *contents, size_t size)
{
	size_t r = ZSTD_decompress(contents, size, packed.data, packed.size);

	return !ZSTD_isError(r) && r == size ? 0 : -EBADMSG;
}
#endif

static const struct {
	uint32_t type;
	uint32_t ratio;
	int (*inflate)(struct bytes packed, uint8_t *contents, size_t size);
} methods[] = {
	{ELFCOMPRESS_ZLIB, ZLIB_RATIO, inflate_zlib},
#ifdef HAVE_ZSTD
	{ELFCOMPRESS_ZSTD, ZSTD_RATIO, inflate_zstd},
#endif
};

static int inflate_by(uint32_t type, struct bytes packed, uint64_t size, struct bytes *ret_contents)
{
	AUTO_FREE uint8_t *contents = NULL;
	size_t method = 0;
	int r;

	while (method < ARRAY_SIZE(methods) && methods[method].type != type)
		method++;
	if (method == ARRAY_SIZE(methods))
		return -ENOTSUP;
	if (size == 0 || size / methods[method].ratio > packed.size)
		return -EBADMSG;
	contents = malloc(size);
	if (!contents)
		return -ENOMEM;
	r = methods[method].inflate(packed, contents, size);
	if (r < 0)
		return r;
	*ret_contents = (struct bytes){steal_ptr(contents), size};
	return 0;
}

static bool is_old_style(const struct elf_section *section)
{
	return strncmp(section->name, ".zdebug_", 8) == 0;
}

bool inflate_is_needed(const struct elf_section *section)
{
	return section->header.sh_flags & SHF_COMPRESSED || is_old_style(section);
}

int inflate_section(const struct elf_file *file, const struct elf_section *section,
		    struct bytes packed, struct bytes *ret_contents)
{
	struct reader reader = reader_of(packed, file->big_endian);
	uint32_t type = ELFCOMPRESS_ZLIB;
	uint64_t size;

	if (section->header.sh_flags & SHF_COMPRESSED) {
		type = reader_u32(&reader);
		if (file->is_64)
			reader_u32(&reader);
		size = reader_unsigned(&reader, file->is_64 ? 8 : 4);
		reader_unsigned(&reader, file->is_64 ? 8 : 4);
	} else {
		if (packed.size < 4 || memcmp(packed.data, "ZLIB", 4) != 0)
			return -EBADMSG;
		reader_skip(&reader, 4);
		reader.big_endian = true;
		size = reader_u64(&reader);
	}
	if (reader.failed)
		return -EBADMSG;
	return inflate_by(type, (struct bytes){reader.at, reader_left(&reader)}, size,
			  ret_contents);
}

#ifdef HAVE_LZMA

static int inflate_stream(lzma_stream *stream, struct bytes *contents)
{
	lzma_ret r = LZMA_OK;

	while (r == LZMA_OK) {
		const size_t grown = contents->size ? 2 * contents->size : 64 * 1024;
		uint8_t *data;

		if (grown > XZ_CONTENT_MAX)
			return -EBADMSG;
		data = realloc((void *)contents->data, grown);
		if (!data)
			return -ENOMEM;
		*contents = (struct bytes){data, grown};
		stream->next_out = data + stream->total_out;
		stream->avail_out = grown - stream->total_out;
		while (r == LZMA_OK && stream->avail_out)
			r = lzma_code(stream, LZMA_FINISH);
	}
	contents->size = stream->total_out;
	return r == LZMA_STREAM_END ? 0 : -EBADMSG;
}

int inflate_xz(struct bytes packed, struct bytes *ret_contents)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	struct bytes contents = {NULL, 0};
	int r;

	if (lzma_stream_decoder(&stream, XZ_MEMORY_MAX, 0) != LZMA_OK)
		return -ENOMEM;
	stream.next_in = packed.data;
	stream.avail_in = packed.size;
	r = inflate_stream(&stream, &contents);
	lzma_end(&stream);
	if (r < 0) {
		free((void *)contents.data);
		return r;
	}
	*ret_contents = contents;
	return 0;
}

#else

int inflate_xz(struct bytes packed, struct bytes *ret_contents)
{
	(void)packed;
	(void)ret_contents;
	return -ENOTSUP;
}

#endif
