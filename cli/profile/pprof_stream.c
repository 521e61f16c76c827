/* SPDX-License-Identifier: MIT */
/* A pprof file on its way out. */

#include "cli/profile/pprof_stream.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "cli/profile/gzip.h"
#include "cli/profile/string_pool.h"
#include "symbolize/util.h"

struct pprof_stream {
	struct gzip *gzip;
	struct string_pool *strings;
	struct string_pool *functions; /* "name\nsystem name\nfile", numbered as their ids - 1 */
	uint8_t *buffer;
	size_t room;
	int error;
};

static void free_parts(struct pprof_stream *stream)
{
	string_pool_free(stream->strings);
	string_pool_free(stream->functions);
	free(stream->buffer);
	free(stream);
}

struct pprof_stream *pprof_stream_open(FILE *file)
{
	struct pprof_stream *stream = calloc(1, sizeof(*stream));

	if (!stream)
		return NULL;
	stream->strings = string_pool_new();
	stream->functions = string_pool_new();
	if (stream->strings && stream->functions)
		stream->gzip = gzip_open(file);
	if (!stream->gzip) {
		free_parts(stream);
		return NULL;
	}
	/* The string table's first string is "". */
	pprof_stream_string(stream, "");
	return stream;
}

int pprof_stream_close(struct pprof_stream *stream)
{
	int closed = gzip_close(stream->gzip), error = stream->error;

	free_parts(stream);
	return error ? error : closed;
}

static void fail(struct pprof_stream *stream, int error)
{
	if (!stream->error)
		stream->error = error;
}

void pprof_stream_put(struct pprof_stream *stream, const Pprof__Profile *piece)
{
	size_t size = pprof__profile__get_packed_size(piece);
	int code;

	if (stream->error)
		return;
	if (size > stream->room) {
		uint8_t *buffer = realloc(stream->buffer, size * 2);

		if (!buffer) {
			fail(stream, -ENOMEM);
			return;
		}
		stream->buffer = buffer;
		stream->room = size * 2;
	}
	pprof__profile__pack(piece, stream->buffer);
	code = gzip_write(stream->gzip, stream->buffer, size);
	if (code < 0)
		fail(stream, code);
}

int64_t pprof_stream_string(struct pprof_stream *stream, const char *text)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	char *string = (char *)(text ? text : "");
	bool is_new;
	int64_t number = string_pool_number(stream->strings, string, &is_new);

	if (number < 0) {
		fail(stream, -ENOMEM);
		return 0;
	}
	if (is_new) {
		piece.n_string_table = 1;
		piece.string_table = &string;
		pprof_stream_put(stream, &piece);
	}
	return number;
}

uint64_t pprof_stream_function(struct pprof_stream *stream, const char *name,
			       const char *system_name, const char *file)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Function function = PPROF__FUNCTION__INIT, *functions[] = {&function};
	AUTO_FREE char *key = NULL;
	bool is_new;
	int64_t number;

	if (asprintf(&key, "%s\n%s\n%s", name, system_name, file ? file : "") < 0) {
		key = NULL; /* asprintf leaves it undefined */
		fail(stream, -ENOMEM);
		return 0;
	}
	number = string_pool_number(stream->functions, key, &is_new);
	if (number < 0) {
		fail(stream, -ENOMEM);
		return 0;
	}
	if (is_new) {
		function.id = (uint64_t)number + 1;
		function.name = pprof_stream_string(stream, name);
		function.system_name = pprof_stream_string(stream, system_name);
		function.filename = pprof_stream_string(stream, file);
		piece.n_function = 1;
		piece.function = functions;
		pprof_stream_put(stream, &piece);
	}
	return (uint64_t)number + 1;
}
