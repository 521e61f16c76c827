/* SPDX-License-Identifier: MIT */
/*
 * A record of perf_event_open(2)'s ring buffer, as far as profrun asks for it: who ran where, what
 * was mapped, which processes came and went.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/perf_event.h>

enum kernel_record_kind {
	KERNEL_OTHER, /* nothing that profrun uses */
	KERNEL_SAMPLE,
	KERNEL_MAP, /* an executable mapping was made */
	KERNEL_EXEC,
	KERNEL_NAME, /* a thread takes another name */
	KERNEL_FORK, /* of a process, or of a thread if .pid is .parent */
	KERNEL_EXIT, /* of a thread */
	KERNEL_LOST,
	KERNEL_THROTTLE,
};

/* A piece of a file, from .offset on. */
struct kernel_piece {
	uint32_t major, minor; /* device */
	uint64_t inode, generation;
	uint64_t offset;
	const char *path; /* "//anon", "[vdso]", ... for what is no file */
};

struct kernel_record {
	enum kernel_record_kind kind;
	pid_t pid, tid;
	uint64_t time; /* CLOCK_MONOTONIC, nanoseconds; 0: not known */
	/* KERNEL_SAMPLE */
	bool in_kernel;
	bool has_pc; /* false: the thread has no user memory (any more) */
	bool is_32bit;
	uint64_t pc;	 /* in user memory, also while the thread is in the kernel */
	uint64_t period; /* that it stands for, nanoseconds; set by who knows the clock */
	/* KERNEL_MAP */
	uint64_t start, length;
	struct kernel_piece piece;
	/* KERNEL_EXEC: the program's name, cut; KERNEL_NAME: the thread's */
	const char *name;
	/* KERNEL_FORK */
	pid_t parent;
	pid_t parent_tid; /* the thread that forked */
	/* KERNEL_LOST: how many records */
	uint64_t lost;
};

/* What a sample carries and every other record ends with. */
void kernel_record_ask(struct perf_event_attr *attributes);

/*
 * Reads the record of @size bytes. False: it is none. Strings of *ret_record lie in @bytes, which
 * are aligned to 8.
 */
bool kernel_record_parse(const void *bytes, size_t size, struct kernel_record *ret_record);
