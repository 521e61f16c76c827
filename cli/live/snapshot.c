/* SPDX-License-Identifier: MIT */
/* What has been counted so far, on its way to the view. */

#include "cli/live/snapshot.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbolize/util.h"

/* What comes first; the lists follow in this order. */
struct head {
	double elapsed, user, system, period, effective;
	uint64_t ticks, lost;
	const char *tick_source; /* a static string, at the same place in both processes */
	unsigned rate_hz;
	bool kernel_known, threads_apart;
	size_t objects, processes, threads, entries, places, frames;
};

static void put_string(FILE *stream, const char *string)
{
	uint32_t size = string ? (uint32_t)strlen(string) + 1 : 0;

	fwrite(&size, sizeof(size), 1, stream);
	fwrite(string ? string : "", size, 1, stream);
}

static void put_head(FILE *stream, const struct profile *profile)
{
	const struct head head = {
		.elapsed = profile->elapsed_seconds,
		.user = profile->user_seconds,
		.system = profile->system_seconds,
		.period = profile->period_seconds,
		.effective = profile->effective_ticks,
		.ticks = profile->ticks,
		.lost = profile->lost_ticks,
		.tick_source = profile->tick_source,
		.rate_hz = profile->rate_hz,
		.kernel_known = profile->kernel_known,
		.threads_apart = profile->threads_apart,
		.objects = profile->object_count,
		.processes = profile->process_count,
		.threads = profile->thread_count,
		.entries = profile->entry_count,
		.places = profile->place_count,
		.frames = profile->frame_count,
	};

	fwrite(&head, sizeof(head), 1, stream);
}

static void put_lists(FILE *stream, const struct profile *profile)
{
	for (size_t i = 0; i < profile->object_count; i++) {
		fwrite(&profile->objects[i], sizeof(profile->objects[i]), 1, stream);
		put_string(stream, profile->objects[i].name);
		put_string(stream, profile->objects[i].path);
	}
	for (size_t i = 0; i < profile->process_count; i++) {
		fwrite(&profile->processes[i], sizeof(profile->processes[i]), 1, stream);
		put_string(stream, profile->processes[i].command);
	}
	for (size_t i = 0; i < profile->thread_count; i++) {
		fwrite(&profile->threads[i], sizeof(profile->threads[i]), 1, stream);
		put_string(stream, profile->threads[i].name);
	}
	if (profile->entry_count)
		fwrite(profile->entries, sizeof(*profile->entries), profile->entry_count, stream);
	if (profile->place_count)
		fwrite(profile->places, sizeof(*profile->places), profile->place_count, stream);
	for (size_t i = 0; i < profile->frame_count; i++)
		put_string(stream, profile->frames[i].function);
}

int snapshot_write(const struct profile *profile, int fd)
{
	int own = dup(fd);
	FILE *stream = own < 0 ? NULL : fdopen(own, "w");
	bool failed;

	if (!stream) {
		if (own >= 0)
			close(own);
		return -ENOMEM;
	}
	put_head(stream, profile);
	put_lists(stream, profile);
	failed = ferror(stream);
	return fclose(stream) != 0 || failed ? -EIO : 0;
}

/* A snapshot that is being read. */
struct reader {
	struct profile *profile;
	const char *at, *end;
	bool failed;
};

static void take(struct reader *reader, void *ret_value, size_t size)
{
	if ((size_t)(reader->end - reader->at) < size) {
		reader->failed = true;
		memset(ret_value, 0, size);
		return;
	}
	memcpy(ret_value, reader->at, size);
	reader->at += size;
}

/* Valid as long as what is read from is mapped. */
static const char *take_string(struct reader *reader)
{
	const char *string = NULL;
	uint32_t size;

	take(reader, &size, sizeof(size));
	if (size == 0)
		return NULL;
	if ((size_t)(reader->end - reader->at) < size) {
		reader->failed = true;
		return NULL;
	}
	string = reader->at;
	reader->at += size;
	return string;
}

/* A copy of an array that has no pointers in it. */
static void *take_array(struct reader *reader, size_t count, size_t size)
{
	void *array = NULL;

	if (count > (size_t)(reader->end - reader->at) / size || !(array = calloc(count + 1, size)))
		reader->failed = true;
	else
		take(reader, array, count * size);
	return array;
}

static void take_objects(struct reader *reader, size_t count)
{
	for (size_t i = 0; i < count && !reader->failed; i++) {
		struct profile_object object;

		take(reader, &object, sizeof(object));
		object.name = take_string(reader);
		object.path = take_string(reader);
		/* Entries tell objects by their numbers. */
		if (profile_add_object(reader->profile, &object) != (int64_t)i)
			reader->failed = true;
	}
}

static void take_processes(struct reader *reader, size_t count)
{
	for (size_t i = 0; i < count && !reader->failed; i++) {
		struct profile_process process;

		take(reader, &process, sizeof(process));
		process.command = take_string(reader);
		process.command_line = process.run = NULL;
		if (profile_add_process(reader->profile, &process) < 0)
			reader->failed = true;
	}
}

static void take_threads(struct reader *reader, size_t count)
{
	for (size_t i = 0; i < count && !reader->failed; i++) {
		struct profile_thread thread;

		take(reader, &thread, sizeof(thread));
		thread.name = take_string(reader);
		if (profile_add_thread(reader->profile, &thread) < 0)
			reader->failed = true;
	}
}

static void take_frames(struct reader *reader, size_t count)
{
	struct profile *profile = reader->profile;

	profile->frames = calloc(count + 1, sizeof(*profile->frames));
	if (!profile->frames)
		reader->failed = true;
	for (size_t i = 0; i < count && !reader->failed; i++) {
		const char *function = take_string(reader);

		profile->frames[i].function =
			function ? string_pool_add(profile->strings, function) : NULL;
		if (!profile->frames[i].function)
			reader->failed = true;
	}
	profile->frame_count = count;
}

static void read_all(struct reader *reader)
{
	struct profile *profile = reader->profile;
	struct head head;

	take(reader, &head, sizeof(head));
	profile->elapsed_seconds = head.elapsed;
	profile->user_seconds = head.user;
	profile->system_seconds = head.system;
	profile->period_seconds = head.period;
	profile->effective_ticks = head.effective;
	profile->ticks = head.ticks;
	profile->lost_ticks = head.lost;
	profile->tick_source = head.tick_source;
	profile->rate_hz = head.rate_hz;
	profile->kernel_known = head.kernel_known;
	profile->threads_apart = head.threads_apart;
	take_objects(reader, head.objects);
	take_processes(reader, head.processes);
	take_threads(reader, head.threads);
	profile->entries = take_array(reader, head.entries, sizeof(*profile->entries));
	profile->entry_count = head.entries;
	profile->places = take_array(reader, head.places, sizeof(*profile->places));
	profile->place_count = head.places;
	take_frames(reader, head.frames);
}

int snapshot_read(int fd, struct profile **ret_profile)
{
	struct reader reader = {.profile = profile_new()};
	struct stat status;
	void *bytes = MAP_FAILED;

	if (reader.profile && fstat(fd, &status) == 0 && status.st_size > 0)
		bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED) {
		profile_free(reader.profile);
		return -EIO;
	}
	reader.at = bytes;
	reader.end = reader.at + status.st_size;
	read_all(&reader);
	munmap(bytes, (size_t)status.st_size);
	if (reader.failed) {
		profile_free(reader.profile);
		return -EBADMSG;
	}
	*ret_profile = reader.profile;
	return 0;
}
