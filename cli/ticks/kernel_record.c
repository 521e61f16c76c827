/* SPDX-License-Identifier: MIT */
/* Takes records apart. Their layout follows from kernel_record_ask(); nothing is read past @size.
 */

#include "cli/ticks/kernel_record.h"

#include <asm/perf_regs.h>
#include <string.h>
#include <time.h>

#include "symbolize/util.h"

#if defined(__x86_64__)
#define PC_REGISTER PERF_REG_X86_IP
#else
#define PC_REGISTER PERF_REG_ARM64_PC
#endif

/* What sample_id_all puts behind every record that is no sample. */
struct trailer {
	uint32_t pid, tid;
	uint64_t time;
};

struct reader {
	const char *bytes;
	size_t left;
};

void kernel_record_ask(struct perf_event_attr *attributes)
{
	attributes->sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER;
	attributes->sample_regs_user = UINT64_C(1) << PC_REGISTER;
	attributes->sample_id_all = 1;
	attributes->use_clockid = 1;
	attributes->clockid = CLOCK_MONOTONIC;
}

static bool take(struct reader *reader, void *value, size_t size)
{
	if (reader->left < size)
		return false;
	memcpy(value, reader->bytes, size);
	reader->bytes += size;
	reader->left -= size;
	return true;
}

static bool take_pair(struct reader *reader, pid_t *ret_first, pid_t *ret_second)
{
	uint32_t pair[2];

	if (!take(reader, pair, sizeof(pair)))
		return false;
	*ret_first = (pid_t)pair[0];
	*ret_second = (pid_t)pair[1];
	return true;
}

static bool parse_sample(struct reader *reader, unsigned misc, struct kernel_record *record)
{
	uint64_t abi;

	record->in_kernel = (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	if (!take_pair(reader, &record->pid, &record->tid) ||
	    !take(reader, &record->time, sizeof(record->time)) || !take(reader, &abi, sizeof(abi)))
		return false;
	record->is_32bit = abi == PERF_SAMPLE_REGS_ABI_32;
	record->has_pc = abi != PERF_SAMPLE_REGS_ABI_NONE;
	return !record->has_pc || take(reader, &record->pc, sizeof(record->pc));
}

static bool parse_map(struct reader *reader, unsigned misc, struct kernel_record *record)
{
	struct kernel_piece *piece = &record->piece;
	uint32_t protection_and_flags[2];

	(void)misc;
	if (!take_pair(reader, &record->pid, &record->tid) ||
	    !take(reader, &record->start, sizeof(record->start)) ||
	    !take(reader, &record->length, sizeof(record->length)) ||
	    !take(reader, &piece->offset, sizeof(piece->offset)) ||
	    !take(reader, &piece->major, sizeof(piece->major)) ||
	    !take(reader, &piece->minor, sizeof(piece->minor)) ||
	    !take(reader, &piece->inode, sizeof(piece->inode)) ||
	    !take(reader, &piece->generation, sizeof(piece->generation)) ||
	    !take(reader, protection_and_flags, sizeof(protection_and_flags)))
		return false;
	piece->path = reader->bytes;
	return memchr(reader->bytes, '\0', reader->left) && record->length > 0 &&
	       record->start + record->length > record->start;
}

static bool parse_name(struct reader *reader, unsigned misc, struct kernel_record *record)
{
	if (!(misc & PERF_RECORD_MISC_COMM_EXEC))
		record->kind = KERNEL_NAME;
	if (!take_pair(reader, &record->pid, &record->tid))
		return false;
	record->name = reader->bytes;
	return memchr(reader->bytes, '\0', reader->left) != NULL;
}

static bool parse_task(struct reader *reader, unsigned misc, struct kernel_record *record)
{
	(void)misc;
	return take_pair(reader, &record->pid, &record->parent) &&
	       take_pair(reader, &record->tid, &record->parent_tid);
}

static bool parse_lost(struct reader *reader, unsigned misc, struct kernel_record *record)
{
	uint64_t id;

	(void)misc;
	return take(reader, &id, sizeof(id)) && take(reader, &record->lost, sizeof(record->lost));
}

static bool parse_nothing(struct reader *reader, unsigned misc, struct kernel_record *record)
{
	(void)reader;
	(void)misc;
	(void)record;
	return true;
}

static const struct {
	enum kernel_record_kind kind;
	bool (*parse)(struct reader *reader, unsigned misc, struct kernel_record *record);
} kinds[] = {
	[PERF_RECORD_LOST] = {KERNEL_LOST, parse_lost},
	[PERF_RECORD_COMM] = {KERNEL_EXEC, parse_name},
	[PERF_RECORD_EXIT] = {KERNEL_EXIT, parse_task},
	[PERF_RECORD_THROTTLE] = {KERNEL_THROTTLE, parse_nothing},
	[PERF_RECORD_FORK] = {KERNEL_FORK, parse_task},
	[PERF_RECORD_SAMPLE] = {KERNEL_SAMPLE, parse_sample},
	[PERF_RECORD_MMAP2] = {KERNEL_MAP, parse_map},
};

/* The time that a record which is no sample ends with; it is no part of what comes before. */
static bool take_trailer(struct reader *reader, struct kernel_record *record)
{
	struct trailer trailer;

	if (reader->left < sizeof(trailer))
		return false;
	reader->left -= sizeof(trailer);
	memcpy(&trailer, reader->bytes + reader->left, sizeof(trailer));
	record->time = trailer.time;
	return true;
}

bool kernel_record_parse(const void *bytes, size_t size, struct kernel_record *ret_record)
{
	struct kernel_record record = {.kind = KERNEL_OTHER};
	struct reader reader = {.bytes = bytes, .left = size};
	struct perf_event_header header;

	if (!take(&reader, &header, sizeof(header)) || header.size != size)
		return false;
	if (header.type != PERF_RECORD_SAMPLE && !take_trailer(&reader, &record))
		return false;
	if (header.type < ARRAY_SIZE(kinds) && kinds[header.type].parse) {
		record.kind = kinds[header.type].kind;
		if (!kinds[header.type].parse(&reader, header.misc, &record))
			return false;
	}
	*ret_record = record;
	return true;
}
