/* SPDX-License-Identifier: MIT */
/* Reads a profile in pprof's format. */

#include "cli/profile/pprof_read.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/pprof.pb-c.h"
#include "cli/profile/facts.h"
#include "cli/profile/gzip.h"
#include "cli/profile/pprof_fields.h"
#include "cli/profile/pprof_names.h"
#include "cli/profile/pprof_tables.h"
#include "cli/progress.h"
#include "cli/report/points.h"
#include "cli/whole.h"
#include "symbolize/util.h"

#define FILE_MAX    (192UL << 20) /* bytes of a file, and of what is in it */
#define MESSAGE_MAX (1 << 20)	  /* of a sample, see pprof_tables.c */
#define ENTRIES_MAX (4 << 20)
#define TICKS_MAX   (1LL << 50) /* of a profile: their thousandths must fit too */
#define BUCKET_MAX  65536	/* bytes of text, at the least scale */
#define TYPES_MAX   64
#define RATE_MAX    1e9

struct reader {
	struct profile *profile;
	struct pprof_tables tables;
	const uint8_t *bytes;
	size_t size;

	/* Which value of a sample is what; -1: there is none. */
	int ticks_value, nanos_value;
	int64_t period_nanos;
	/* "PROCESS TID NAME" of each thread, numbered as the profile's are; NULL: there are none */
	struct string_pool *threads;
	double nanos;	/* sum of the nanoseconds, where a period has to be found */
	bool synthetic; /* addresses of the locations are their numbers */
};

static int wrong(const char *what, struct error *err)
{
	return error_set(err, -EINVAL, "%s", what);
}

/* Notes which of the sample types at @number holds ticks, and which their time. */
static int take_type(struct reader *reader, const struct pprof_field *field, int number,
		     struct error *err)
{
	Pprof__ValueType *type = pprof__value_type__unpack(NULL, field->size, field->data);
	const char *name, *unit;

	if (!type)
		return wrong("a sample type cannot be read", err);
	name = pprof_tables_text(&reader->tables, type->type, err);
	unit = name ? pprof_tables_text(&reader->tables, type->unit, err) : NULL;
	pprof__value_type__free_unpacked(type, NULL);
	if (!unit)
		return err->code;
	if (strcmp(name, PPROF_TICKS) == 0 && strcmp(unit, PPROF_COUNT) == 0)
		reader->ticks_value = number;
	if (strcmp(name, PPROF_CPU) == 0 && strcmp(unit, PPROF_NANOS) == 0)
		reader->nanos_value = number;
	return 0;
}

/* The fields that are no table: types, period, duration. */
static int read_head(struct reader *reader, struct error *err)
{
	const uint8_t *at = reader->bytes;
	struct pprof_field field;
	int types = 0, code = 0;

	while (pprof_field_next(&at, reader->bytes + reader->size, &field) > 0 && code == 0) {
		if (field.number == PPROF_SAMPLE_TYPE && field.data && types < TYPES_MAX)
			code = take_type(reader, &field, types++, err);
		if (field.number == PPROF_PERIOD)
			reader->period_nanos = (int64_t)field.value;
		if (field.number == PPROF_TIME_NANOS)
			reader->profile->start_nanos = (int64_t)field.value;
		if (field.number == PPROF_DURATION_NANOS)
			reader->profile->elapsed_seconds = (double)(int64_t)field.value * 1e-9;
	}
	if (code < 0)
		return code;
	if (reader->nanos_value < 0)
		return wrong("it holds no CPU time", err);
	if (reader->ticks_value < 0 && reader->period_nanos <= 0)
		return wrong("it holds neither ticks nor their period", err);
	return 0;
}

static int take_ticks(struct reader *reader, const Pprof__Sample *sample,
		      struct profile_entry *entry, struct error *err)
{
	int64_t ticks, nanos;

	if (reader->nanos_value >= (int)sample->n_value ||
	    reader->ticks_value >= (int)sample->n_value)
		return wrong("a sample lacks values", err);
	nanos = sample->value[reader->nanos_value];
	ticks = reader->ticks_value < 0 ? nanos / reader->period_nanos
					: sample->value[reader->ticks_value];
	if (ticks < 0 || nanos < 0)
		return wrong("a count is negative", err);
	if (ticks > TICKS_MAX - (int64_t)reader->profile->ticks)
		return wrong("its counts are too large", err);
	entry->ticks = (uint64_t)ticks;
	reader->nanos += (double)nanos;
	return 0;
}

/* The number of profrun's own label @key, or @missing. */
static int take_label(struct reader *reader, const Pprof__Sample *sample, const char *key,
		      uint64_t missing, uint64_t *ret_number, struct error *err)
{
	*ret_number = missing;
	for (size_t i = 0; i < sample->n_label; i++) {
		const char *name = pprof_tables_text(&reader->tables, sample->label[i]->key, err);

		if (!name)
			return err->code;
		if (strcmp(name, key) == 0)
			*ret_number = (uint64_t)sample->label[i]->num;
	}
	return 0;
}

/* The text of profrun's own label @key, or NULL: there is none, or (with *err) it is wrong. */
static const char *take_text(struct reader *reader, const Pprof__Sample *sample, const char *key,
			     struct error *err)
{
	for (size_t i = 0; i < sample->n_label; i++) {
		const char *name = pprof_tables_text(&reader->tables, sample->label[i]->key, err);

		if (!name)
			return NULL;
		if (strcmp(name, key) == 0)
			return pprof_tables_text(&reader->tables, sample->label[i]->str, err);
	}
	return NULL;
}

/* The thread of @thread's process, id and name, which is added when it is new. */
static int find_thread(struct reader *reader, const struct profile_thread *thread,
		       uint32_t *ret_number, struct error *err)
{
	AUTO_FREE char *key = NULL;
	int64_t number = -ENOMEM;
	bool is_new = false;

	if (!reader->threads)
		reader->threads = string_pool_new();
	if (asprintf(&key, "%u %d %s", thread->process, (int)thread->tid, thread->name) < 0)
		key = NULL;
	if (key && reader->threads)
		number = string_pool_number(reader->threads, key, &is_new);
	if (number < 0 || (is_new && profile_add_thread(reader->profile, thread) < 0))
		return error_set(err, -ENOMEM, "out of memory");
	*ret_number = (uint32_t)number + 1;
	return 0;
}

static int take_thread(struct reader *reader, const Pprof__Sample *sample,
		       struct profile_entry *entry, struct error *err)
{
	struct profile_thread thread = {.process = entry->process};
	uint64_t tid = 0;
	int code = take_label(reader, sample, PPROF_LABEL_TID, 0, &tid, err);

	if (code < 0 || tid == 0)
		return code;
	if (tid > INT32_MAX)
		return wrong("a sample is of a thread that cannot be", err);
	thread.tid = (pid_t)tid;
	err->code = 0;
	thread.name = take_text(reader, sample, PPROF_LABEL_THREAD, err);
	if (!thread.name && err->code < 0)
		return err->code;
	if (!thread.name)
		thread.name = "";
	return find_thread(reader, &thread, &entry->thread, err);
}

static int take_labels(struct reader *reader, const Pprof__Sample *sample,
		       struct profile_entry *entry, struct error *err)
{
	uint64_t process = 0;
	int code = take_label(reader, sample, PPROF_LABEL_BYTES, 1, &entry->size, err);

	if (code == 0)
		code = take_label(reader, sample, PPROF_LABEL_ADDRESS, entry->address,
				  &entry->address, err);
	if (code == 0)
		code = take_label(reader, sample, PPROF_LABEL_KERNEL, 0, &entry->kernel, err);
	if (code == 0)
		code = take_label(reader, sample, PPROF_LABEL_PROCESS, 0, &process, err);
	if (code < 0)
		return code;
	if (entry->size == 0 || entry->size > BUCKET_MAX ||
	    entry->address > UINT64_MAX - entry->size)
		return wrong("a sample is of a bucket that cannot be", err);
	if (entry->kernel > entry->ticks)
		return wrong("a sample has more ticks in the kernel than there are", err);
	if (process >= reader->profile->process_count)
		return wrong("a sample is of a process that is not there", err);
	entry->process = (uint32_t)process;
	return take_thread(reader, sample, entry, err);
}

static int add_sample(struct reader *reader, const Pprof__Sample *sample, struct error *err)
{
	struct profile_entry entry = {.size = 1};
	const struct pprof_location *location;
	int code;

	if (sample->n_location_id == 0)
		return 0;
	location = pprof_tables_location(&reader->tables, sample->location_id[0], err);
	if (!location)
		return err->code;
	entry.object = location->object;
	entry.address = reader->synthetic ? (uint64_t)(location - reader->tables.locations)
					  : location->address;
	code = take_ticks(reader, sample, &entry, err);
	if (code == 0 && reader->tables.own)
		code = take_labels(reader, sample, &entry, err);
	if (code < 0 || entry.ticks == 0)
		return code;
	if (reader->profile->entry_count >= ENTRIES_MAX)
		return wrong("it is too large", err);
	return profile_add_entry(reader->profile, &entry) < 0
		       ? error_set(err, -ENOMEM, "out of memory")
		       : 0;
}

static int read_samples(struct reader *reader, struct error *err)
{
	const uint8_t *at = reader->bytes;
	struct pprof_field field;

	while (pprof_field_next(&at, reader->bytes + reader->size, &field) > 0) {
		Pprof__Sample *sample;
		int code;

		progress_tell((uint64_t)(at - reader->bytes), reader->size);
		if (field.number != PPROF_SAMPLE)
			continue;
		if (!field.data || field.size > MESSAGE_MAX)
			return wrong("a sample cannot be read", err);
		sample = pprof__sample__unpack(NULL, field.size, field.data);
		if (!sample)
			return wrong("a sample cannot be read", err);
		code = add_sample(reader, sample, err);
		pprof__sample__free_unpacked(sample, NULL);
		if (code < 0)
			return code;
	}
	return 0;
}

/*
 * The places of all locations. Other tools' files may have no addresses: when several locations
 * share one, each gets its number for an address.
 */
static int read_places(struct reader *reader, struct error *err)
{
	struct pprof_tables *tables = &reader->tables;
	struct points points = {.count = 0};
	int code = 0;

	for (size_t i = 0; i < tables->location_count && code == 0; i++) {
		const struct pprof_location *location = &tables->locations[i];
		struct point point = {
			.address = reader->synthetic ? i : location->address,
			.object = location->object,
			.frame = location->frame,
			.frame_count = location->frame_count,
			.kind = location->kind,
		};

		code = points_add(&points, &point);
	}
	points_sort(&points);
	if (code == 0 && !tables->own && !reader->synthetic &&
	    points.count < tables->location_count) {
		reader->synthetic = true;
		points_done(&points);
		return read_places(reader, err);
	}
	if (code == 0)
		code = points_to_places(&points, reader->profile);
	points_done(&points);
	reader->profile->named = true;
	return code < 0 ? error_set(err, code, "out of memory") : 0;
}

/* What another tool's file does not say is what is most likely. */
static int finish_foreign(struct reader *reader, struct error *err)
{
	struct profile *profile = reader->profile;

	profile->foreign = true;
	profile->tick_source = "another tool";
	profile->effective_ticks = (double)profile->ticks;
	if (reader->period_nanos > 0)
		profile->period_seconds = (double)reader->period_nanos * 1e-9;
	else if (profile->ticks)
		profile->period_seconds = reader->nanos * 1e-9 / (double)profile->ticks;
	if (profile->period_seconds > 0)
		profile->rate_hz = (unsigned)(0.5 + fmin(1 / profile->period_seconds, RATE_MAX));
	if (profile->elapsed_seconds < 0 || profile->elapsed_seconds > 1e15)
		return wrong("its duration makes no sense", err);
	return 0;
}

/* The process that the samples of a file without facts are of. */
static int add_foreign_process(struct reader *reader, struct error *err)
{
	struct profile *profile = reader->profile;
	struct profile_process process = {.command = "?", .cpu_seconds = -1};

	if (profile->object_count)
		process.command = profile->objects[0].name;
	return profile_add_process(profile, &process) < 0 ? error_set(err, -ENOMEM, "out of memory")
							  : 0;
}

static int read_all(struct reader *reader, struct error *err)
{
	struct profile *profile = reader->profile;
	int code = pprof_tables_read(&reader->tables, reader->bytes, reader->size, err);

	if (code == 0)
		code = read_head(reader, err);
	if (code == 0)
		code = reader->tables.own ? facts_read(reader->tables.facts, profile, err)
					  : add_foreign_process(reader, err);
	if (code == 0)
		code = read_places(reader, err);
	if (code == 0)
		code = read_samples(reader, err);
	if (code == 0 && !reader->tables.own)
		code = finish_foreign(reader, err);
	if (!profile->tick_source)
		profile->tick_source = "unknown";
	return code;
}

/* Whether it is protobuf from end to end, with the field that no profile can be without. */
static bool looks_like_profile(const uint8_t *bytes, size_t size)
{
	const uint8_t *at = bytes;
	struct pprof_field field;
	bool has_types = false;
	int code;

	while ((code = pprof_field_next(&at, bytes + size, &field)) > 0)
		has_types = has_types || (field.number == PPROF_SAMPLE_TYPE && field.data);
	return code == 0 && has_types;
}

static int read_plain(const uint8_t *bytes, size_t size, struct profile **ret_profile,
		      struct error *err)
{
	struct reader reader = {
		.profile = profile_new(),
		.bytes = bytes,
		.size = size,
		.ticks_value = -1,
		.nanos_value = -1,
	};
	int code;

	if (!looks_like_profile(bytes, size)) {
		profile_free(reader.profile);
		return wrong("it is no profile", err);
	}
	if (!reader.profile)
		return error_set(err, -ENOMEM, "out of memory");
	reader.tables.profile = reader.profile;
	code = read_all(&reader, err);
	pprof_tables_done(&reader.tables);
	string_pool_free(reader.threads);
	if (code < 0) {
		profile_free(reader.profile);
		return code;
	}
	*ret_profile = reader.profile;
	return 0;
}

int pprof_read(const void *bytes, size_t size, struct profile **ret_profile, struct error *err)
{
	static const uint8_t magic[] = {0x1f, 0x8b};
	AUTO_FREE uint8_t *inflated = NULL;
	size_t inflated_size;
	int code;

	if (size == 0)
		return wrong("it is empty", err);
	if (size < sizeof(magic) || memcmp(bytes, magic, sizeof(magic)) != 0)
		return read_plain(bytes, size, ret_profile, err);
	code = gzip_inflate(bytes, size, FILE_MAX, &inflated, &inflated_size);
	if (code == -EFBIG)
		return error_set(err, code, "it is too large");
	if (code < 0)
		return error_set(err, code, "%s",
				 code == -ENOMEM ? "out of memory" : "it is damaged or cut off");
	return read_plain(inflated, inflated_size, ret_profile, err);
}

int pprof_read_file(const char *path, struct profile **ret_profile, struct error *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	AUTO_CLOSE int fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	AUTO_FREE uint8_t *bytes = NULL;
	size_t size = 0;
	struct error why;
	int code;

	progress_begin("reading '%.120s'", path);
	code = fd < 0 ? -errno : whole_read(fd, FILE_MAX, &bytes, &size);
	if (code < 0) {
		progress_end();
		return error_set(err, code, "cannot read '%.150s': ", path);
	}
	code = pprof_read(bytes, size, ret_profile, &why);
	progress_end();
	return code < 0 ? error_set(err, code, "cannot read '%.100s': %.120s", path, why.text) : 0;
}
