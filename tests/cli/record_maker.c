/* SPDX-License-Identifier: MIT */
/* Puts records together field by field, as perf_event_open(2) describes them. */

#include "tests/cli/record_maker.h"

#include <string.h>

static void put(struct record *record, const void *value, size_t size)
{
	memcpy(record->bytes + record->size, value, size);
	record->size += size;
}

static void put_u32(struct record *record, uint32_t value)
{
	put(record, &value, sizeof(value));
}

static void put_u64(struct record *record, uint64_t value)
{
	put(record, &value, sizeof(value));
}

/* Strings are filled up to a multiple of 8 bytes. */
static void put_string(struct record *record, const char *text)
{
	char padded[128] = "";
	size_t length = strlen(text);

	memcpy(padded, text, length);
	put(record, padded, (length + 8) / 8 * 8);
}

static struct record begin(unsigned type, unsigned misc)
{
	struct record record = {.size = 0};
	struct perf_event_header header = {.type = type, .misc = (uint16_t)misc};

	put(&record, &header, sizeof(header));
	return record;
}

static struct record finish(struct record record)
{
	struct perf_event_header header;

	memcpy(&header, record.bytes, sizeof(header));
	header.size = (uint16_t)record.size;
	memcpy(record.bytes, &header, sizeof(header));
	return record;
}

static struct record finish_with_trailer(struct record record, pid_t pid, uint64_t time)
{
	put_u32(&record, (uint32_t)pid);
	put_u32(&record, (uint32_t)pid);
	put_u64(&record, time);
	return finish(record);
}

struct record record_sample(pid_t pid, pid_t tid, uint64_t time, unsigned mode, uint64_t pc)
{
	struct record record = begin(PERF_RECORD_SAMPLE, mode);

	put_u32(&record, (uint32_t)pid);
	put_u32(&record, (uint32_t)tid);
	put_u64(&record, time);
	put_u64(&record, PERF_SAMPLE_REGS_ABI_64);
	put_u64(&record, pc);
	return finish(record);
}

struct record record_sample_without_registers(pid_t pid, pid_t tid, uint64_t time)
{
	struct record record = begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);

	put_u32(&record, (uint32_t)pid);
	put_u32(&record, (uint32_t)tid);
	put_u64(&record, time);
	put_u64(&record, PERF_SAMPLE_REGS_ABI_NONE);
	return finish(record);
}

struct record record_map(pid_t pid, uint64_t time, uint64_t start, uint64_t length, uint64_t offset,
			 const char *path)
{
	struct record record = begin(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);

	put_u32(&record, (uint32_t)pid);
	put_u32(&record, (uint32_t)pid);
	put_u64(&record, start);
	put_u64(&record, length);
	put_u64(&record, offset);
	put_u32(&record, 8); /* device */
	put_u32(&record, 1);
	put_u64(&record, 4711); /* inode */
	put_u64(&record, 1);
	put_u32(&record, 5); /* protection and flags */
	put_u32(&record, 2);
	put_string(&record, path);
	return finish_with_trailer(record, pid, time);
}

struct record record_name(pid_t pid, uint64_t time, unsigned misc, const char *name)
{
	struct record record = begin(PERF_RECORD_COMM, misc);

	put_u32(&record, (uint32_t)pid);
	put_u32(&record, (uint32_t)pid);
	put_string(&record, name);
	return finish_with_trailer(record, pid, time);
}

struct record record_task(unsigned type, pid_t pid, pid_t parent, pid_t tid, uint64_t time)
{
	struct record record = begin(type, 0);

	put_u32(&record, (uint32_t)pid);
	put_u32(&record, (uint32_t)parent);
	put_u32(&record, (uint32_t)tid);
	put_u32(&record, (uint32_t)parent);
	put_u64(&record, time);
	return finish_with_trailer(record, pid, time);
}

struct record record_lost(uint64_t count, uint64_t time)
{
	struct record record = begin(PERF_RECORD_LOST, 0);

	put_u64(&record, 1);
	put_u64(&record, count);
	return finish_with_trailer(record, 0, time);
}
