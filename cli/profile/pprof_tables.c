/* SPDX-License-Identifier: MIT */
/* What the samples of a pprof file refer to. */

#include "cli/profile/pprof_tables.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/pprof.pb-c.h"
#include "cli/profile/facts.h"
#include "cli/profile/pprof_fields.h"
#include "symbolize/util.h"

/*
 * A message of a table is small, and unpacking takes up to fifty times its size: a large one is
 * refused. The tables together stay below a gigabyte whatever a file holds.
 */
#define MESSAGE_MAX   (1 << 20)
#define STRINGS_MAX   (4 << 20)
#define MAPPINGS_MAX  (1 << 16)
#define FUNCTIONS_MAX (2 << 20)
#define LOCATIONS_MAX (4 << 20)
#define FRAMES_MAX    (8 << 20)

/* Room for one more in a table of at most @max; -EFBIG and -ENOMEM are errors of the whole file. */
#define table_grow(array, count, max, room, err)                                      \
	((count) >= (max)		  ? error_set(err, -EFBIG, "it is too large") \
	 : grow(array, (count) + 1, room) ? 0                                         \
					  : error_set(err, -ENOMEM, "out of memory"))

static int broken(const char *what, struct error *err)
{
	return error_set(err, -EINVAL, "%s cannot be read", what);
}

static int add_string(struct pprof_tables *tables, const struct pprof_field *field,
		      struct error *err)
{
	int code = table_grow(&tables->strings, tables->string_count, STRINGS_MAX,
			      &tables->string_room, err);

	if (code < 0)
		return code;
	if (!field->data)
		return broken("a string", err);
	tables->strings[tables->string_count++] = (struct pprof_string){
		.data = field->data,
		.size = field->size,
	};
	return 0;
}

const char *pprof_tables_text(struct pprof_tables *tables, int64_t index, struct error *err)
{
	struct pprof_string *string;
	AUTO_FREE char *text = NULL;

	if (index < 0 || (uint64_t)index >= tables->string_count) {
		error_set(err, -EINVAL, "string %" PRId64 " is not there", index);
		return NULL;
	}
	string = &tables->strings[index];
	if (!string->text) {
		text = strndup((const char *)string->data, string->size);
		string->text = text ? string_pool_add(tables->profile->strings, text) : NULL;
	}
	if (!string->text)
		error_set(err, -ENOMEM, "out of memory");
	return string->text;
}

static int hex_digit(char digit)
{
	return isdigit((unsigned char)digit) ? digit - '0'
					     : tolower((unsigned char)digit) - 'a' + 10;
}

/* What is no hexadecimal build-id (Go writes its own kind) is none. */
static void parse_build_id(const char *text, struct sym_build_id *ret_build_id)
{
	size_t length = strlen(text);

	ret_build_id->size = 0;
	if (length % 2 || length / 2 > SYM_BUILD_ID_MAX ||
	    strspn(text, "0123456789abcdefABCDEF") != length)
		return;
	for (size_t i = 0; i < length / 2; i++)
		ret_build_id->bytes[i] =
			(uint8_t)(hex_digit(text[2 * i]) << 4 | hex_digit(text[2 * i + 1]));
	ret_build_id->size = length / 2;
}

/* Which kind of object a mapping's file name means. */
static enum object_kind object_kind(const char *name)
{
	static const struct {
		const char *name;
		enum object_kind kind;
	} kinds[] = {
		{"[vdso]", OBJECT_VDSO},       {"[anon]", OBJECT_ANON}, {"[jit]", OBJECT_JIT},
		{"[unknown]", OBJECT_UNKNOWN}, {"", OBJECT_UNKNOWN},
	};
	size_t length = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (strcmp(name, kinds[i].name) == 0)
			return kinds[i].kind;
	}
	return name[0] == '[' && name[length - 1] == ']' ? OBJECT_SPECIAL : OBJECT_FILE;
}

static int64_t add_object(struct pprof_tables *tables, const char *file, const char *build_id)
{
	struct profile_object object = {.kind = object_kind(file), .name = file};
	const char *slash = strrchr(file, '/');

	if (object.kind == OBJECT_FILE) {
		object.path = file;
		object.name = slash && slash[1] ? slash + 1 : file;
	}
	if (object.kind != OBJECT_SPECIAL)
		parse_build_id(build_id, &object.build_id);
	if (object.kind == OBJECT_UNKNOWN)
		object.name = "[unknown]";
	return profile_add_object(tables->profile, &object);
}

static int add_mapping(struct pprof_tables *tables, const struct pprof_field *field,
		       struct error *err)
{
	Pprof__Mapping *mapping = pprof__mapping__unpack(NULL, field->size, field->data);
	const char *file, *build_id;
	int64_t object = -EINVAL;
	int code = table_grow(&tables->mappings, tables->mapping_count, MAPPINGS_MAX,
			      &tables->mapping_room, err);

	if (!mapping)
		return broken("a mapping", err);
	file = code < 0 ? NULL : pprof_tables_text(tables, mapping->filename, err);
	build_id = file ? pprof_tables_text(tables, mapping->build_id, err) : NULL;
	if (build_id) {
		object = add_object(tables, file, build_id);
		if (object < 0)
			error_set(err, (int)object, "out of memory");
	}
	if (object >= 0)
		tables->mappings[tables->mapping_count++] = (struct pprof_mapping){
			.id = mapping->id,
			.object = (uint32_t)object,
		};
	pprof__mapping__free_unpacked(mapping, NULL);
	return object < 0 ? err->code : 0;
}

static int fill_function(struct pprof_tables *tables, const Pprof__Function *source,
			 struct pprof_function *function, struct error *err)
{
	const char *system_name;

	function->id = source->id;
	function->name = pprof_tables_text(tables, source->name, err);
	function->file = function->name ? pprof_tables_text(tables, source->filename, err) : NULL;
	system_name = function->file ? pprof_tables_text(tables, source->system_name, err) : NULL;
	if (!system_name)
		return err->code;
	/* Other tools leave either name out. */
	if (!*function->name)
		function->name = system_name;
	function->unknown = (tables->own && !*system_name) || !*function->name;
	if (!*function->file)
		function->file = NULL;
	return 0;
}

static int add_function(struct pprof_tables *tables, const struct pprof_field *field,
			struct error *err)
{
	Pprof__Function *function = pprof__function__unpack(NULL, field->size, field->data);
	int code = table_grow(&tables->functions, tables->function_count, FUNCTIONS_MAX,
			      &tables->function_room, err);

	if (!function)
		return broken("a function", err);
	if (code == 0)
		code = fill_function(tables, function, &tables->functions[tables->function_count],
				     err);
	if (code == 0)
		tables->function_count++;
	pprof__function__free_unpacked(function, NULL);
	return code;
}

/* All tables' rows start with their id. */
static int compare_ids(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

#define find_id(id, rows, count) \
	((count) ? bsearch(&(id), rows, count, sizeof(*(rows)), compare_ids) : NULL)

static int add_frame(struct pprof_tables *tables, const Pprof__Line *line, struct error *err)
{
	struct profile *profile = tables->profile;
	const struct pprof_function *function =
		find_id(line->function_id, tables->functions, tables->function_count);
	int code = table_grow(&profile->frames, profile->frame_count, FRAMES_MAX,
			      &tables->frame_room, err);

	if (code < 0)
		return code;
	if (!function)
		return error_set(err, -EINVAL, "function %" PRIu64 " is not there",
				 line->function_id);
	profile->frames[profile->frame_count++] = (struct profile_frame){
		.function = function->name,
		.file = function->file,
		.line = line->line > 0 && line->line <= INT32_MAX ? (unsigned)line->line : 0,
	};
	return function->unknown;
}

/* The frames of @source; a single one that is unknown makes the location that. */
static int fill_location(struct pprof_tables *tables, const Pprof__Location *source,
			 struct pprof_location *location, struct error *err)
{
	size_t first = tables->profile->frame_count;
	int unknown = 0;

	location->frame = (uint32_t)first;
	location->kind = source->n_line ? POINT_NAMED : POINT_GAP;
	for (size_t i = 0; i < source->n_line && unknown == 0; i++)
		unknown = add_frame(tables, source->line[i], err);
	if (unknown < 0)
		return unknown;
	if (unknown > 0 || (!tables->own && source->n_line == 0)) {
		location->kind = POINT_UNKNOWN;
		tables->profile->frame_count = first;
	}
	location->frame_count = (uint32_t)(tables->profile->frame_count - first);
	return 0;
}

/* The object of mapping @id; 0 is none, as code without a mapping has in Go's profiles. */
static int find_object(struct pprof_tables *tables, uint64_t id, uint32_t *ret_object,
		       struct error *err)
{
	const struct pprof_mapping *mapping = find_id(id, tables->mappings, tables->mapping_count);
	int64_t object;

	if (!mapping && id)
		return error_set(err, -EINVAL, "mapping %" PRIu64 " is not there", id);
	object = mapping ? mapping->object : add_object(tables, "", "");
	if (object < 0)
		return error_set(err, (int)object, "out of memory");
	*ret_object = (uint32_t)object;
	return 0;
}

static int add_location(struct pprof_tables *tables, const struct pprof_field *field,
			struct error *err)
{
	Pprof__Location *source = pprof__location__unpack(NULL, field->size, field->data);
	struct pprof_location location;
	int code = table_grow(&tables->locations, tables->location_count, LOCATIONS_MAX,
			      &tables->location_room, err);

	if (!source)
		return broken("a location", err);
	location = (struct pprof_location){.id = source->id, .address = source->address};
	if (code == 0)
		code = find_object(tables, source->mapping_id, &location.object, err);
	if (code == 0)
		code = fill_location(tables, source, &location, err);
	if (code == 0)
		tables->locations[tables->location_count++] = location;
	pprof__location__free_unpacked(source, NULL);
	return code;
}

/* A pass over the file that adds the messages of one table. */
static int read_table(struct pprof_tables *tables, const uint8_t *bytes, size_t size,
		      uint32_t number,
		      int (*add)(struct pprof_tables *tables, const struct pprof_field *field,
				 struct error *err),
		      struct error *err)
{
	const uint8_t *at = bytes;
	struct pprof_field field;
	int code;

	while ((code = pprof_field_next(&at, bytes + size, &field)) > 0) {
		if (field.number != number)
			continue;
		if (!field.data || (field.size > MESSAGE_MAX && number != PPROF_STRING))
			return broken("a table", err);
		code = add(tables, &field, err);
		if (code < 0)
			return code;
	}
	return code < 0 ? broken("it", err) : 0;
}

/* Whether the comments, whose numbers come before or after the strings, are profrun's. */
static int find_own(struct pprof_tables *tables, const uint8_t *bytes, size_t size,
		    struct error *err)
{
	const uint8_t *at = bytes;
	struct pprof_field field;

	while (pprof_field_next(&at, bytes + size, &field) > 0) {
		const uint8_t *number_at = NULL;
		uint64_t number;

		if (field.number != PPROF_COMMENT)
			continue;
		while (pprof_field_number_next(&field, &number_at, &number) > 0) {
			const char *comment = pprof_tables_text(tables, (int64_t)number, err);

			if (!comment)
				return err->code;
			if (facts_are(comment)) {
				tables->facts = comment;
				return 0;
			}
		}
	}
	return 0;
}

static void sort_ids(void *rows, size_t count, size_t size)
{
	if (count)
		qsort(rows, count, size, compare_ids);
}

int pprof_tables_read(struct pprof_tables *tables, const uint8_t *bytes, size_t size,
		      struct error *err)
{
	int code = read_table(tables, bytes, size, PPROF_STRING, add_string, err);

	if (code == 0)
		code = find_own(tables, bytes, size, err);
	tables->own = tables->facts;
	if (code == 0)
		code = read_table(tables, bytes, size, PPROF_MAPPING, add_mapping, err);
	if (code == 0)
		code = read_table(tables, bytes, size, PPROF_FUNCTION, add_function, err);
	if (code < 0)
		return code;
	sort_ids(tables->mappings, tables->mapping_count, sizeof(*tables->mappings));
	sort_ids(tables->functions, tables->function_count, sizeof(*tables->functions));
	code = read_table(tables, bytes, size, PPROF_LOCATION, add_location, err);
	sort_ids(tables->locations, tables->location_count, sizeof(*tables->locations));
	return code;
}

const struct pprof_location *pprof_tables_location(const struct pprof_tables *tables, uint64_t id,
						   struct error *err)
{
	const struct pprof_location *location =
		find_id(id, tables->locations, tables->location_count);

	if (!location)
		error_set(err, -EINVAL, "location %" PRIu64 " is not there", id);
	return location;
}

void pprof_tables_done(struct pprof_tables *tables)
{
	free(tables->strings);
	free(tables->mappings);
	free(tables->functions);
	free(tables->locations);
}
