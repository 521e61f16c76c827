/* SPDX-License-Identifier: MIT */
/* The saved form: what is written is read back, and what is broken is refused in a line. */

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/profile/gzip.h"
#include "cli/profile/pprof_read.h"
#include "cli/profile/pprof_stream.h"
#include "cli/profile/pprof_write.h"
#include "symbolize/util.h"
#include "tests/cli/profile_maker.h"

static struct profile *profile, *again;
static char *packed;
static size_t packed_size;

static const struct profile_process any = {.pid = 1, .command = "app"};

static void make(void)
{
	profile = make_profile();
}

static void drop(void)
{
	profile_free(profile);
	profile_free(again);
	free(packed);
}

TestSuite(pprof, .init = make, .fini = drop);

static void save(void)
{
	FILE *stream = open_memstream(&packed, &packed_size);

	cr_assert_eq(pprof_write(profile, stream), 0);
	fclose(stream);
}

static void load(void)
{
	struct error err;

	cr_assert_eq(pprof_read(packed, packed_size, &again, &err), 0, "%s", err.text);
}

static void expect_same_report(const char *line)
{
	struct options options;
	char *before, *after;

	make_options(&options, line);
	before = make_report(profile, &options);
	after = make_report(again, &options);
	cr_assert_str_eq(before, after);
	free(before);
	free(after);
	options_done(&options);
}

static void expect_same_reports(void)
{
	expect_same_report("--csv");
	expect_same_report("--csv --by=address,process");
	expect_same_report("--csv --by=object");
	expect_same_report("--json --by=line");
	expect_same_report("--csv --by=line --no-inlines");
}

Test(pprof, a_report_of_what_was_read_is_that_of_what_was_written)
{
	struct profile_process process = {.pid = 5, .command = "sh", .cpu_seconds = 0.25};
	struct profile_entry entry = {.address = 0x1000, .size = 2, .ticks = 3, .process = 1};
	uint32_t app = make_object(profile, OBJECT_FILE, "app");
	uint32_t anonymous = make_object(profile, OBJECT_ANON, "[anon]");
	uint32_t special = make_object(profile, OBJECT_SPECIAL, "[signals blocked]");
	uint32_t vdso = make_object(profile, OBJECT_VDSO, "[vdso]");

	profile_add_process(profile, &process);
	process.pid = 6;
	profile_add_process(profile, &process);
	make_entry(profile, app, 0x1000, 2, 5, 2);
	profile_add_entry(profile, &entry);
	make_entry(profile, app, 0x10f8, 0x20, 7, 0);
	make_entry(profile, app, 0x5000, 2, 1, 0);
	make_entry(profile, anonymous, 0x7f0000001234, 1, 2, 0);
	make_entry(profile, special, 0, 0, 9, 0);
	make_entry(profile, vdso, 0x500, 2, 4, 0);
	make_place(profile, app, 0x1000, 0x1100, "f(int)");
	make_place(profile, app, 0x1108, 0x2000, "g \"quoted\", \xff");
	profile->kernel_known = true;
	save();
	load();
	expect_same_reports();
	cr_assert_eq(again->ticks, profile->ticks);
	cr_assert_eq(again->processes[1].ticks, 3);
	cr_assert(again->named && !again->foreign);
}

Test(pprof, threads_keep_their_names_and_processes)
{
	uint32_t app = make_object(profile, OBJECT_FILE, "app");
	struct profile_process process = {.pid = 5, .command = "sh"};
	struct profile_thread thread = {.tid = 5, .name = "a, b"};
	struct profile_entry entry = {.object = app, .address = 0x1000, .size = 2, .ticks = 3};

	profile_add_process(profile, &process);
	profile_add_process(profile, &process);
	for (uint32_t i = 0; i < 2; i++) {
		thread.process = entry.process = i;
		entry.thread = (uint32_t)profile_add_thread(profile, &thread);
		profile_add_entry(profile, &entry);
		entry.address += 2;
		profile_add_entry(profile, &entry);
		thread.name = "";
	}
	entry.thread = 0;
	profile_add_entry(profile, &entry);
	profile->threads_apart = true;
	save();
	load();
	expect_same_report("--threads --csv --by=thread");
	expect_same_report("--threads --csv --by=thread,process,function");
	cr_assert_eq(again->thread_count, 2);
	cr_assert_eq(again->threads[1].process, 1);
	cr_assert(again->threads_apart);
}

Test(pprof, buckets_that_straddle_are_divided_as_before)
{
	uint32_t app = make_object(profile, OBJECT_FILE, "app");

	profile_add_process(profile, &any);
	/* Alignment between f and g, unknown code at the end, the largest part not the first. */
	make_entry(profile, app, 0x1000, 0x100, 1000, 0);
	make_entry(profile, app, 0x1100, 0x100, 77, 0);
	make_entry(profile, app, 0x11fe, 1, 1, 0);
	make_place(profile, app, 0xff0, 0x1011, "f");
	make_place(profile, app, 0x1020, 0x10c0, "g");
	make_place(profile, app, 0x10c0, 0x1180, NULL);
	make_place(profile, app, 0x1190, 0x11ff, "h");
	save();
	load();
	expect_same_reports();
}

Test(pprof, facts_of_the_run_are_kept)
{
	static char word[] = "a \"b\"\n\xff";
	static char *command[] = {word, NULL};

	profile_set_command(profile, command);
	profile_add_note(profile, "a note");
	profile->wait_status = 11;
	profile->host = "host";
	profile->elapsed_seconds = 1.0 / 3;
	profile->user_seconds = 0.1;
	profile->system_seconds = 1e-9;
	profile->lost_ticks = UINT64_C(1) << 40;
	profile->effective_ticks = 2.0 / 7;
	profile->no_ticks = "why";
	save();
	load();
	cr_assert_str_eq(again->command[0], command[0]);
	cr_assert_null(again->command[1]);
	cr_assert_str_eq(again->notes[0], "a note");
	cr_assert_eq(again->wait_status, 11);
	cr_assert_str_eq(again->host, "host");
	cr_assert(again->elapsed_seconds == profile->elapsed_seconds);
	cr_assert(again->user_seconds == profile->user_seconds);
	cr_assert(again->system_seconds == profile->system_seconds);
	cr_assert_eq(again->lost_ticks, profile->lost_ticks);
	cr_assert(again->effective_ticks == profile->effective_ticks);
	cr_assert(again->period_seconds == profile->period_seconds);
	cr_assert_str_eq(again->no_ticks, "why");
	cr_assert_eq(again->scale, 0x10000);
	cr_assert_str_eq(again->tick_source, "timer");
}

Test(pprof, objects_keep_their_path_and_build_id)
{
	struct profile_object object = {.kind = OBJECT_FILE,
					.name = "app",
					.path = "/usr/bin/app",
					.build_id = {3, {1, 0xab, 0}}};

	profile_add_process(profile, &any);
	profile_add_object(profile, &object);
	make_entry(profile, 0, 0x1000, 2, 1, 0);
	save();
	load();
	cr_assert_eq(again->objects[0].kind, OBJECT_FILE);
	cr_assert_str_eq(again->objects[0].path, "/usr/bin/app");
	cr_assert_str_eq(again->objects[0].name, "app");
	cr_assert_eq(again->objects[0].build_id.size, 3);
	cr_assert_eq(again->objects[0].build_id.bytes[1], 0xab);
}

/* Another tool's file: a sample of two locations, each with a function of its own. */
struct foreign {
	const char *type, *unit;
	int64_t period;
	int64_t values[2];
	uint64_t location, mapping, function;
	uint64_t addresses[2];
};

static void put_type(struct pprof_stream *stream, const char *name, const char *unit)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__ValueType type = PPROF__VALUE_TYPE__INIT, *types[] = {&type};

	type.type = pprof_stream_string(stream, name);
	type.unit = pprof_stream_string(stream, unit);
	piece.n_sample_type = 1;
	piece.sample_type = types;
	pprof_stream_put(stream, &piece);
}

static void put_location(struct pprof_stream *stream, uint64_t id, uint64_t mapping,
			 uint64_t address, uint64_t function)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Location location = PPROF__LOCATION__INIT, *locations[] = {&location};
	Pprof__Line line = PPROF__LINE__INIT, *lines[] = {&line};

	line.function_id = function;
	line.line = 9 + (int64_t)id;
	location.id = id;
	location.mapping_id = mapping;
	location.address = address;
	location.n_line = 1;
	location.line = lines;
	piece.n_location = 1;
	piece.location = locations;
	pprof_stream_put(stream, &piece);
}

static void put_mapping_and_sample(struct pprof_stream *stream, const struct foreign *foreign)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings[] = {&mapping};
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples[] = {&sample};
	uint64_t stack[] = {foreign->location, 1};
	int64_t values[] = {foreign->values[0], foreign->values[1]};

	mapping.id = 1;
	mapping.filename = pprof_stream_string(stream, "/bin/app");
	sample.n_location_id = 2;
	sample.location_id = stack;
	sample.n_value = 2;
	sample.value = values;
	piece.n_mapping = 1;
	piece.mapping = mappings;
	piece.n_sample = 1;
	piece.sample = samples;
	piece.period = foreign->period;
	piece.duration_nanos = 1500000000;
	pprof_stream_put(stream, &piece);
}

static void pack_foreign(const struct foreign *foreign)
{
	FILE *file = open_memstream(&packed, &packed_size);
	struct pprof_stream *stream = pprof_stream_open(file);

	put_type(stream, foreign->type, foreign->unit);
	put_type(stream, "cpu", "nanoseconds");
	put_mapping_and_sample(stream, foreign);
	cr_assert_eq(pprof_stream_function(stream, "main.main", "main.main", "main.go"), 1);
	cr_assert_eq(pprof_stream_function(stream, "main.work", "", "main.go"), 2);
	put_location(stream, 1, foreign->mapping, foreign->addresses[0], 1);
	put_location(stream, 2, foreign->mapping, foreign->addresses[1], foreign->function);
	cr_assert_eq(pprof_stream_close(stream), 0);
	fclose(file);
}

static const struct foreign good = {
	.type = "samples",
	.unit = "count",
	.period = 10000000,
	.values = {7, 70000000},
	.location = 2,
	.mapping = 1,
	.function = 2,
	.addresses = {0x1000, 0x2000},
};

static void expect_foreign(const char *line, const char *expected)
{
	struct options options;
	char *text;

	load();
	make_options(&options, line);
	text = make_report(again, &options);
	cr_assert_str_eq(strchr(text, '\n') + 1, expected, "%s", text);
	free(text);
	options_done(&options);
}

Test(pprof, another_tools_leaf_functions_have_its_ticks)
{
	pack_foreign(&good);
	expect_foreign("--csv", "main.work,app,,,7,0.070,100.000,17.717,100.000,,0\n");
	cr_assert(again->foreign);
	cr_assert_float_eq(again->elapsed_seconds, 1.5, 1e-9);
}

Test(pprof, another_tools_lines_are_there_without_asking_anybody)
{
	pack_foreign(&good);
	expect_foreign("--csv --by=line",
		       "main.work,app,main.go,11,7,0.070,100.000,17.717,100.000,,0\n");
}

Test(pprof, locations_that_share_an_address_are_told_apart)
{
	struct foreign foreign = good;

	foreign.addresses[0] = foreign.addresses[1] = 0;
	pack_foreign(&foreign);
	expect_foreign("--csv", "main.work,app,,,7,0.070,100.000,17.717,100.000,,0\n");
}

Test(pprof, ticks_are_found_by_the_period_where_they_are_not_counted)
{
	struct foreign foreign = good;

	foreign.type = "threads";
	foreign.values[0] = 12345;
	pack_foreign(&foreign);
	expect_foreign("--csv", "main.work,app,,,7,0.070,100.000,17.717,100.000,,0\n");
}

static void refuse(const struct foreign *foreign, const char *expected)
{
	struct error err;

	pack_foreign(foreign);
	cr_assert_lt(pprof_read(packed, packed_size, &again, &err), 0);
	cr_assert_str_eq(err.text, expected);
	free(packed);
	packed = NULL;
}

Test(pprof, what_dangles_or_makes_no_sense_is_refused)
{
	struct foreign foreign = good;

	foreign.location = 7;
	refuse(&foreign, "location 7 is not there");
	foreign = good;
	foreign.mapping = 9;
	refuse(&foreign, "mapping 9 is not there");
	foreign = good;
	foreign.function = 9;
	refuse(&foreign, "function 9 is not there");
	foreign = good;
	foreign.values[0] = -1;
	refuse(&foreign, "a count is negative");
	foreign = good;
	foreign.values[0] = INT64_MAX;
	refuse(&foreign, "its counts are too large");
	foreign = good;
	foreign.type = "alloc_space";
	foreign.unit = "bytes";
	foreign.period = 0;
	refuse(&foreign, "it holds neither ticks nor their period");
}

static void refuse_bytes(const void *bytes, size_t size, const char *expected)
{
	struct error err;

	cr_assert_lt(pprof_read(bytes, size, &again, &err), 0);
	cr_assert_str_eq(err.text, expected);
}

Test(pprof, what_is_no_profile_is_refused)
{
	refuse_bytes("", 0, "it is empty");
	refuse_bytes("hello, world\n", 13, "it is no profile");
	refuse_bytes("\x1f\x8b", 2, "it is damaged or cut off");
	/* A message without sample types may be anything. */
	refuse_bytes("\x50\x01", 2, "it is no profile");
}

Test(pprof, a_file_that_was_cut_off_anywhere_is_refused)
{
	struct error err;

	profile_add_process(profile, &any);
	make_entry(profile, make_object(profile, OBJECT_FILE, "app"), 0x1000, 2, 5, 2);
	save();
	for (size_t size = 1; size < packed_size; size++) {
		int code = pprof_read(packed, size, &again, &err);

		cr_assert_lt(code, 0, "%zu of %zu bytes", size, packed_size);
	}
	load();
}

Test(pprof, a_gzip_bomb_is_refused_in_bounded_memory)
{
	static const char zeros[1 << 20];
	FILE *stream = open_memstream(&packed, &packed_size);
	struct gzip *gzip = gzip_open(stream);
	struct error err;

	for (int i = 0; i < 300; i++)
		cr_assert_eq(gzip_write(gzip, zeros, sizeof(zeros)), 0);
	cr_assert_eq(gzip_close(gzip), 0);
	fclose(stream);
	cr_assert_eq(pprof_read(packed, packed_size, &again, &err), -EFBIG);
	cr_assert_str_eq(err.text, "it is too large");
}

static void refuse_saved(const char *expected)
{
	struct error err;

	save();
	cr_assert_lt(pprof_read(packed, packed_size, &again, &err), 0);
	cr_assert_str_eq(err.text, expected);
	free(packed);
	packed = NULL;
}

Test(pprof, a_bucket_that_no_scale_makes_is_refused)
{
	static const struct {
		uint64_t address, size;
	} buckets[] = {{0x1000, 0}, {0x1000, 65537}, {0x1000, UINT64_MAX}, {UINT64_MAX - 1, 2}};
	struct profile_entry *entry;

	profile_add_process(profile, &any);
	make_entry(profile, make_object(profile, OBJECT_FILE, "app"), 0x1000, 2, 5, 2);
	entry = &profile->entries[0];
	for (size_t i = 0; i < ARRAY_SIZE(buckets); i++) {
		entry->address = buckets[i].address;
		entry->size = buckets[i].size;
		refuse_saved("a sample is of a bucket that cannot be");
	}
	entry->address = 0x1000;
	entry->size = 65536;
	save();
	load();
}

Test(pprof, a_tick_without_a_length_is_refused)
{
	profile->period_seconds = 0;
	refuse_saved("its 'period_seconds' makes no sense");
	profile->period_seconds = -0.01;
	refuse_saved("its 'period_seconds' makes no sense");
}

Test(pprof, a_stream_that_fails_is_an_error)
{
	FILE *full = fopen("/dev/full", "w");

	setvbuf(full, NULL, _IONBF, 0);
	cr_assert_eq(pprof_write(profile, full), -EIO);
	fclose(full);
}

Test(pprof, a_later_version_says_so)
{
	AUTO_FREE uint8_t *plain = NULL;
	size_t size;
	struct error err;
	char *version;

	save();
	cr_assert_eq(gzip_inflate(packed, packed_size, 1 << 20, &plain, &size), 0);
	version = memmem(plain, size, "\"profrun\":1", 11);
	cr_assert_not_null(version);
	version[10] = '2';
	cr_assert_lt(pprof_read(plain, size, &again, &err), 0);
	cr_assert_str_eq(err.text, "it is of another version of profrun (its format is 2)");
}
