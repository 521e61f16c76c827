/* SPDX-License-Identifier: MIT */
/*
 * Writes a profile in pprof's format.
 *
 * A mapping is an object, with link-time addresses. Locations are points (cli/report/points.h): one
 * where a bucket starts, and one wherever in a bucket another function does, which no sample refers
 * to but a later division needs. A location without lines is alignment; a line whose function has
 * no system name is unknown code, or an object that holds none.
 */

#include "cli/profile/pprof_write.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "cli/profile/facts.h"
#include "cli/profile/pprof_names.h"
#include "cli/profile/pprof_stream.h"
#include "cli/report/code.h"
#include "cli/report/points.h"
#include "symbolize/util.h"

#define PAGE	  4096ULL
#define LINES_MAX 64

struct writer {
	const struct profile *profile;
	struct pprof_stream *stream;
	struct points points;
	int64_t period_nanos;
};

static void put_value_types(struct writer *writer)
{
	struct pprof_stream *stream = writer->stream;
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__ValueType ticks = PPROF__VALUE_TYPE__INIT, cpu = PPROF__VALUE_TYPE__INIT;
	Pprof__ValueType *types[] = {&ticks, &cpu};

	ticks.type = pprof_stream_string(stream, PPROF_TICKS);
	ticks.unit = pprof_stream_string(stream, PPROF_COUNT);
	cpu.type = pprof_stream_string(stream, PPROF_CPU);
	cpu.unit = pprof_stream_string(stream, PPROF_NANOS);
	piece.n_sample_type = ARRAY_SIZE(types);
	piece.sample_type = types;
	piece.period_type = &cpu;
	piece.period = writer->period_nanos;
	piece.time_nanos = writer->profile->start_nanos;
	piece.duration_nanos = llround(writer->profile->elapsed_seconds * 1e9);
	piece.default_sample_type = cpu.type;
	pprof_stream_put(stream, &piece);
}

static void put_facts(struct writer *writer)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	AUTO_FREE char *facts = facts_write(writer->profile);
	int64_t comment = pprof_stream_string(writer->stream, facts);

	piece.n_comment = 1;
	piece.comment = &comment;
	pprof_stream_put(writer->stream, &piece);
}

/* What is behind the address, in pages: readers expect mappings to hold their locations. */
static void find_extent(const struct points *points, uint32_t object, Pprof__Mapping *mapping)
{
	size_t first = points_find(points, object, 0), next = points_find(points, object + 1, 0);

	if (first == next)
		return;
	mapping->memory_start = points->point[first].address & ~(PAGE - 1);
	mapping->memory_limit = (points->point[next - 1].address | (PAGE - 1)) + 1;
	mapping->file_offset = mapping->memory_start;
}

static int64_t build_id_string(struct pprof_stream *stream, const struct sym_build_id *build_id)
{
	char text[2 * SYM_BUILD_ID_MAX + 1] = "";

	for (size_t i = 0; i < build_id->size && i < SYM_BUILD_ID_MAX; i++)
		sprintf(text + 2 * i, "%02x", build_id->bytes[i]);
	return pprof_stream_string(stream, text);
}

static void put_mapping(struct writer *writer, uint32_t index)
{
	const struct profile_object *object = &writer->profile->objects[index];
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings[] = {&mapping};

	mapping.id = index + 1;
	find_extent(&writer->points, index, &mapping);
	mapping.filename =
		pprof_stream_string(writer->stream, object->path ? object->path : object->name);
	mapping.build_id = build_id_string(writer->stream, &object->build_id);
	/*
	 * All true, even where no lines are known: a reader would else look for names itself, and
	 * give stripped code its neighbour's.
	 */
	mapping.has_functions = true;
	mapping.has_filenames = true;
	mapping.has_line_numbers = true;
	mapping.has_inline_frames = true;
	piece.n_mapping = 1;
	piece.mapping = mappings;
	pprof_stream_put(writer->stream, &piece);
}

/* The name of a point that has none: as a report would call it, for other readers. */
static uint64_t unknown_function(struct writer *writer, const struct point *point)
{
	const struct profile_object *object = &writer->profile->objects[point->object];
	char label[NAME_MAX + 32];

	if (!code_exists(object))
		return pprof_stream_function(writer->stream, object->name, "", NULL);
	code_unknown_label(object, point->address, label, sizeof(label));
	return pprof_stream_function(writer->stream, label, "", NULL);
}

static size_t fill_lines(struct writer *writer, const struct point *point, Pprof__Line *lines)
{
	size_t count = point->frame_count > LINES_MAX ? LINES_MAX : point->frame_count;

	if (point->kind == POINT_UNKNOWN) {
		lines[0].function_id = unknown_function(writer, point);
		return 1;
	}
	for (size_t i = 0; i < count; i++) {
		/* Of a chain that is too long the outermost end must stay. */
		size_t from = i + 1 == count ? point->frame_count - 1 : i;
		const struct profile_frame *frame = &writer->profile->frames[point->frame + from];

		lines[i].function_id = pprof_stream_function(writer->stream, frame->function,
							     frame->function, frame->file);
		lines[i].line = frame->line;
	}
	return count;
}

/* The location of the point at @index has the id @index + 1. */
static void put_location(struct writer *writer, size_t index)
{
	const struct point *point = &writer->points.point[index];
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Location location = PPROF__LOCATION__INIT, *locations[] = {&location};
	Pprof__Line lines[LINES_MAX], *line[LINES_MAX];

	for (size_t i = 0; i < LINES_MAX; i++) {
		lines[i] = (Pprof__Line)PPROF__LINE__INIT;
		line[i] = &lines[i];
	}
	location.id = index + 1;
	location.mapping_id = point->object + 1;
	location.address = point->address;
	location.n_line = fill_lines(writer, point, lines);
	location.line = line;
	piece.n_location = 1;
	piece.location = locations;
	pprof_stream_put(writer->stream, &piece);
}

/* The point where most of the bucket lies: what a reader that does not divide takes it for. */
static size_t main_point(const struct writer *writer, const struct profile_entry *entry)
{
	const struct points *points = &writer->points;
	size_t first = points_find(points, entry->object, entry->address), best = first;
	uint64_t end = entry->address + entry->size, most = 0;

	for (size_t i = first; i < points->count; i++) {
		const struct point *point = &points->point[i], *next = point + 1;
		bool last = i + 1 == points->count || next->object != point->object ||
			    next->address > end;
		uint64_t bytes = (last ? end : next->address) - point->address;

		if (point->object != entry->object || (point->address >= end && i > first))
			break;
		if (point->kind != POINT_GAP && bytes > most) {
			most = bytes;
			best = i;
		}
	}
	return best;
}

static size_t add_label(struct writer *writer, Pprof__Label *label, const char *key,
			uint64_t number, const char *unit)
{
	*label = (Pprof__Label)PPROF__LABEL__INIT;
	label->key = pprof_stream_string(writer->stream, key);
	label->num = (int64_t)number;
	label->num_unit = pprof_stream_string(writer->stream, unit);
	return 1;
}

static size_t add_text_label(struct writer *writer, Pprof__Label *label, const char *key,
			     const char *text)
{
	*label = (Pprof__Label)PPROF__LABEL__INIT;
	label->key = pprof_stream_string(writer->stream, key);
	label->str = pprof_stream_string(writer->stream, text);
	return 1;
}

#define LABELS_MAX 7

static size_t fill_labels(struct writer *writer, const struct profile_entry *entry,
			  const struct point *point, Pprof__Label *labels)
{
	const struct profile *profile = writer->profile;
	size_t count = add_label(writer, &labels[0], PPROF_LABEL_BYTES, entry->size, "bytes");

	if (point->address != entry->address)
		count += add_label(writer, &labels[count], PPROF_LABEL_ADDRESS, entry->address, "");
	if (entry->kernel)
		count += add_label(writer, &labels[count], PPROF_LABEL_KERNEL, entry->kernel, "");
	if (profile->process_count > 1) {
		count += add_label(writer, &labels[count], PPROF_LABEL_PROCESS, entry->process, "");
		count += add_label(writer, &labels[count], PPROF_LABEL_PID,
				   (uint64_t)profile->processes[entry->process].pid, "");
	}
	if (entry->thread) {
		const struct profile_thread *thread = &profile->threads[entry->thread - 1];

		count += add_label(writer, &labels[count], PPROF_LABEL_TID, (uint64_t)thread->tid,
				   "");
		count += add_text_label(writer, &labels[count], PPROF_LABEL_THREAD, thread->name);
	}
	return count;
}

static void put_sample(struct writer *writer, const struct profile_entry *entry)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples[] = {&sample};
	Pprof__Label labels[LABELS_MAX], *label[LABELS_MAX];
	size_t point = main_point(writer, entry);
	uint64_t location = point + 1;
	int64_t values[] = {(int64_t)entry->ticks, (int64_t)entry->ticks * writer->period_nanos};

	for (size_t i = 0; i < LABELS_MAX; i++)
		label[i] = &labels[i];
	sample.n_location_id = 1;
	sample.location_id = &location;
	sample.n_value = ARRAY_SIZE(values);
	sample.value = values;
	sample.n_label = fill_labels(writer, entry, &writer->points.point[point], labels);
	sample.label = label;
	piece.n_sample = 1;
	piece.sample = samples;
	pprof_stream_put(writer->stream, &piece);
}

static void put_all(struct writer *writer)
{
	const struct profile *profile = writer->profile;

	put_value_types(writer);
	put_facts(writer);
	for (uint32_t i = 0; i < profile->object_count; i++)
		put_mapping(writer, i);
	for (size_t i = 0; i < writer->points.count; i++)
		put_location(writer, i);
	for (size_t i = 0; i < profile->entry_count; i++)
		put_sample(writer, &profile->entries[i]);
}

int pprof_write(const struct profile *profile, FILE *stream)
{
	struct writer writer = {
		.profile = profile,
		.stream = pprof_stream_open(stream),
		.period_nanos = llround(profile->period_seconds * 1e9),
	};
	int code;

	if (!writer.stream)
		return -ENOMEM;
	code = points_of_profile(&writer.points, profile);
	if (code == 0)
		put_all(&writer);
	points_done(&writer.points);
	return code < 0 ? (pprof_stream_close(writer.stream), code)
			: pprof_stream_close(writer.stream);
}
