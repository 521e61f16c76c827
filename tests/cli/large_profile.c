/* SPDX-License-Identifier: MIT */
/*
 * A saved profile as large as they come, for the test of reports: COUNT buckets, each a line of its
 * own of some function, with code inlined into every other.
 *
 *     large_profile COUNT >FILE
 */

#include <stdio.h>
#include <stdlib.h>

#include "cli/profile/pprof_write.h"
#include "cli/profile/profile.h"
#include "symbolize/util.h"

#define OF_FUNCTION 100 /* buckets */
#define OF_FILE	    10	/* functions */
#define BUCKET	    4	/* bytes */

static const char *make_text(struct profile *profile, const char *before, size_t number,
			     const char *after)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%zu%s", before, number, after);
	return string_pool_add(profile->strings, text);
}

/* The bucket at @index: where it is, and what is there. */
static int add_bucket(struct profile *profile, size_t index)
{
	const struct profile_entry entry = {
		.address = index * BUCKET,
		.size = BUCKET,
		.ticks = 1 + index % 5,
	};
	struct profile_frame *frames = &profile->frames[profile->frame_count];
	size_t function = index / OF_FUNCTION;
	unsigned line = 1 + (unsigned)(index % (OF_FUNCTION * OF_FILE));
	const char *file = make_text(profile, "/source/file", function / OF_FILE, ".cc");
	const struct profile_frame chain[] = {
		{make_text(profile, "inlined_into<int, ", function, ">()"), file, line},
		{make_text(profile, "function<", function, ">(char *)"), file, line},
	};
	uint32_t inlined = index % 2;

	for (size_t i = 1 - inlined; i < ARRAY_SIZE(chain); i++)
		*frames++ = chain[i];
	profile->places[profile->place_count++] = (struct profile_place){
		.start = entry.address,
		.end = entry.address + entry.size,
		.frame = (uint32_t)profile->frame_count,
		.frame_count = 1 + inlined,
	};
	profile->frame_count += 1 + inlined;
	return profile_add_entry(profile, &entry);
}

static int make_profile(struct profile *profile, size_t count)
{
	const struct profile_object object = {
		.kind = OBJECT_FILE,
		.name = "large",
		.path = "/large",
	};
	const struct profile_process process = {.pid = 1, .command = "large"};
	int64_t code = profile_add_object(profile, &object);

	if (code == 0)
		code = profile_add_process(profile, &process);
	profile->period_seconds = 0.01;
	profile->rate_hz = 100;
	profile->tick_source = "timer";
	profile->scale = 0x10000;
	profile->named = true;
	profile->places = calloc(count, sizeof(*profile->places));
	profile->frames = calloc(2 * count, sizeof(*profile->frames));
	if (!profile->places || !profile->frames)
		return -1;
	for (size_t i = 0; i < count && code >= 0; i++)
		code = add_bucket(profile, i);
	profile->effective_ticks = (double)profile->ticks;
	return (int)code;
}

int main(int argc, char **argv)
{
	struct profile *profile = profile_new();
	int code = -1;

	if (profile && argc == 2)
		code = make_profile(profile, strtoul(argv[1], NULL, 10));
	if (code >= 0)
		code = pprof_write(profile, stdout);
	profile_free(profile);
	return code < 0;
}
