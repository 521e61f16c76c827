/* SPDX-License-Identifier: MIT */
/* Profiles made by hand for the tests of reports. */

#include "tests/cli/profile_maker.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "cli/report/report.h"
#include "cli/report/rows.h"
#include "cli/report/terminal.h"

struct profile *make_profile(void)
{
	struct profile *profile = profile_new();

	cr_assert_not_null(profile);
	profile->period_seconds = 0.01;
	profile->rate_hz = 100;
	profile->tick_source = "timer";
	profile->scale = 0x10000;
	profile->named = true;
	return profile;
}

uint32_t make_object(struct profile *profile, enum object_kind kind, const char *name)
{
	struct profile_object object = {.kind = kind, .name = name};
	int64_t index = profile_add_object(profile, &object);

	cr_assert_geq(index, 0);
	return (uint32_t)index;
}

void make_entry(struct profile *profile, uint32_t object, uint64_t address, uint64_t size,
		uint64_t ticks, uint64_t kernel)
{
	struct profile_entry entry = {
		.object = object,
		.address = address,
		.size = size,
		.ticks = ticks,
		.kernel = kernel,
	};

	cr_assert_eq(profile_add_entry(profile, &entry), 0);
	profile->effective_ticks = (double)profile->ticks;
}

void make_place(struct profile *profile, uint32_t object, uint64_t start, uint64_t end,
		const char *function)
{
	size_t places = profile->place_count, frames = profile->frame_count;

	profile->places = reallocarray(profile->places, places + 1, sizeof(*profile->places));
	profile->frames = reallocarray(profile->frames, frames + 1, sizeof(*profile->frames));
	profile->places[profile->place_count++] = (struct profile_place){
		.object = object,
		.start = start,
		.end = end,
		.frame = (uint32_t)frames,
		.frame_count = function ? 1 : 0,
	};
	if (function)
		profile->frames[profile->frame_count++] = (struct profile_frame){
			.function = string_pool_add(profile->strings, function),
		};
}

void make_options(struct options *options, const char *line)
{
	static char program[] = "profrun", target[] = "app";
	static char *words[] = {program, target, NULL};
	struct error err;

	cr_assert_eq(options_parse(words, line, options, &err), 0, "%s", err.text);
}

char *make_report(const struct profile *profile, const struct options *options)
{
	struct terminal file = {.width = 0};
	struct rows rows;
	struct report report = {
		.profile = profile,
		.rows = &rows,
		.options = options,
		.terminal = &file,
	};
	struct error err;
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	cr_assert_eq(rows_build(profile, options, &rows, &err), 0);
	options->format->write(&report, stream);
	fclose(stream);
	rows_done(&rows);
	return text;
}
