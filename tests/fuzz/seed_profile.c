/* SPDX-License-Identifier: MIT */
/* A small saved profile, not compressed, to start fuzzing from: some of everything. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/profile/gzip.h"
#include "cli/profile/pprof_write.h"
#include "symbolize/util.h"

static const struct profile_object objects[] = {
	{.kind = OBJECT_FILE, .name = "app", .path = "/bin/app", .build_id = {3, {1, 2, 3}}},
	{.kind = OBJECT_VDSO, .name = "[vdso]"},
	{.kind = OBJECT_SPECIAL, .name = "[signals blocked]"},
};

static const struct profile_process processes[] = {
	{.pid = 7, .parent = 1, .command = "app", .command_line = "app -x", .cpu_seconds = 0.5},
	{.pid = 8, .parent = 7, .command = "sh", .cpu_seconds = -1},
};

static const struct profile_entry entries[] = {
	{.object = 0, .address = 0x1000, .size = 2, .ticks = 5, .kernel = 2},
	{.object = 0, .address = 0x1010, .size = 0x40, .ticks = 7},
	{.object = 1, .process = 1, .address = 0x20, .size = 2, .ticks = 1},
	{.object = 2, .ticks = 3},
};

static const struct profile_frame frames[] = {
	{.function = "inlined", .file = "/src/a.h", .line = 3},
	{.function = "main", .file = "/src/a.c", .line = 9},
	{.function = "other(int, char)"},
};

static const struct profile_place places[] = {
	{.object = 0, .start = 0x1000, .end = 0x1020, .frame = 0, .frame_count = 2},
	{.object = 0, .start = 0x1028, .end = 0x1040, .frame = 2, .frame_count = 1},
	{.object = 0, .start = 0x1040, .end = 0x1100},
};

static void *copy(const void *rows, size_t size)
{
	void *copied = malloc(size);

	if (!copied)
		abort();
	return memcpy(copied, rows, size);
}

static struct profile *make_profile(void)
{
	static char word[] = "app";
	static char *command[] = {word, word, NULL};
	struct profile *profile = profile_new();

	if (!profile)
		abort();
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++)
		profile_add_object(profile, &objects[i]);
	for (size_t i = 0; i < ARRAY_SIZE(processes); i++)
		profile_add_process(profile, &processes[i]);
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		profile_add_entry(profile, &entries[i]);
	profile_set_command(profile, command);
	profile_add_note(profile, "a note");
	profile->tick_source = "timer";
	profile->period_seconds = 0.01;
	profile->rate_hz = 100;
	profile->effective_ticks = 9.5;
	profile->frames = copy(frames, sizeof(frames));
	profile->frame_count = ARRAY_SIZE(frames);
	profile->places = copy(places, sizeof(places));
	profile->place_count = ARRAY_SIZE(places);
	profile->named = true;
	return profile;
}

int main(void)
{
	struct profile *profile = make_profile();
	AUTO_FREE char *packed = NULL;
	AUTO_FREE uint8_t *plain = NULL;
	size_t packed_size, size = 0;
	FILE *stream = open_memstream(&packed, &packed_size);
	int code = pprof_write(profile, stream);

	fclose(stream);
	if (code == 0)
		code = gzip_inflate(packed, packed_size, 1 << 20, &plain, &size);
	profile_free(profile);
	if (code < 0 || fwrite(plain, 1, size, stdout) != size)
		return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
