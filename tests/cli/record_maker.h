/* SPDX-License-Identifier: MIT */
/* Makes records as kernel_record_ask() has the kernel write them. */
#pragma once

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct record {
	char bytes[256] __attribute__((aligned(8)));
	size_t size;
};

struct record record_sample(pid_t pid, pid_t tid, uint64_t time, unsigned mode, uint64_t pc);
struct record record_sample_without_registers(pid_t pid, pid_t tid, uint64_t time);
struct record record_map(pid_t pid, uint64_t time, uint64_t start, uint64_t length, uint64_t offset,
			 const char *path);
struct record record_name(pid_t pid, uint64_t time, unsigned misc, const char *name);

/* @type: PERF_RECORD_FORK or _EXIT. A thread: @pid is @parent. */
struct record record_task(unsigned type, pid_t pid, pid_t parent, pid_t tid, uint64_t time);
struct record record_lost(uint64_t count, uint64_t time);
