/* SPDX-License-Identifier: MIT */
/* gzip, as a stream out and as a whole in. */

#include "cli/profile/gzip.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>

#include "symbolize/util.h"

#define BUFFER_SIZE 65536
#define GZIP_FORMAT (MAX_WBITS + 16) /* what zlib calls "a gzip header, not zlib's" */
#define LEVEL	    3		     /* six times faster than the default, a tenth larger */

struct gzip {
	z_stream z;
	FILE *stream;
	unsigned char buffer[BUFFER_SIZE];
};

struct gzip *gzip_open(FILE *stream)
{
	AUTO_FREE struct gzip *gzip = calloc(1, sizeof(*gzip));

	if (!gzip)
		return NULL;
	gzip->stream = stream;
	if (deflateInit2(&gzip->z, LEVEL, Z_DEFLATED, GZIP_FORMAT, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return NULL;
	return steal_ptr(gzip);
}

/* Compresses what z.next_in holds. */
static int compress_input(struct gzip *gzip, int flush)
{
	do {
		size_t size;

		gzip->z.next_out = gzip->buffer;
		gzip->z.avail_out = BUFFER_SIZE;
		if (deflate(&gzip->z, flush) == Z_STREAM_ERROR)
			return -EINVAL;
		size = BUFFER_SIZE - gzip->z.avail_out;
		if (fwrite(gzip->buffer, 1, size, gzip->stream) != size)
			return -EIO;
	} while (gzip->z.avail_out == 0);
	return 0;
}

int gzip_write(struct gzip *gzip, const void *bytes, size_t size)
{
	if (size > UINT_MAX)
		return -EINVAL;
	gzip->z.next_in = (unsigned char *)bytes;
	gzip->z.avail_in = (unsigned)size;
	return compress_input(gzip, Z_NO_FLUSH);
}

int gzip_close(struct gzip *gzip)
{
	int code = compress_input(gzip, Z_FINISH);

	deflateEnd(&gzip->z);
	free(gzip);
	return code;
}

struct inflated {
	uint8_t *bytes;
	size_t size, room, limit;
};

static int make_room(struct inflated *inflated)
{
	size_t room = inflated->room ? inflated->room * 2 : BUFFER_SIZE;
	uint8_t *bytes;

	if (inflated->size < inflated->room)
		return 0;
	if (inflated->size == inflated->limit)
		return -EFBIG;
	room = room > inflated->limit ? inflated->limit : room;
	bytes = realloc(inflated->bytes, room);
	if (!bytes)
		return -ENOMEM;
	inflated->bytes = bytes;
	inflated->room = room;
	return 0;
}

/* Inflates until the input ends; a member may follow another. */
static int inflate_members(z_stream *z, struct inflated *inflated)
{
	for (;;) {
		int code = make_room(inflated), result;
		size_t room = inflated->room - inflated->size;

		if (code < 0)
			return code;
		z->next_out = inflated->bytes + inflated->size;
		z->avail_out = room > UINT_MAX ? UINT_MAX : (unsigned)room;
		room = z->avail_out;
		result = inflate(z, Z_NO_FLUSH);
		inflated->size += room - z->avail_out;
		if (result == Z_MEM_ERROR)
			return -ENOMEM;
		if (result == Z_STREAM_END && z->avail_in == 0)
			return 0;
		if (result == Z_STREAM_END)
			result = inflateReset(z);
		else if (result == Z_OK && z->avail_in == 0 && z->avail_out)
			return -EINVAL; /* cut off */
		if (result != Z_OK)
			return -EINVAL;
	}
}

int gzip_inflate(const void *bytes, size_t size, size_t limit, uint8_t **ret_bytes,
		 size_t *ret_size)
{
	struct inflated inflated = {.limit = limit};
	z_stream z = {.next_in = (unsigned char *)bytes, .avail_in = (unsigned)size};
	int code;

	if (size > UINT_MAX)
		return -EFBIG;
	if (inflateInit2(&z, GZIP_FORMAT) != Z_OK)
		return -ENOMEM;
	code = inflate_members(&z, &inflated);
	inflateEnd(&z);
	if (code < 0) {
		free(inflated.bytes);
		return code;
	}
	*ret_bytes = inflated.bytes;
	*ret_size = inflated.size;
	return 0;
}
