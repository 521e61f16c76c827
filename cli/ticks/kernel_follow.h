/* SPDX-License-Identifier: MIT */
/*
 * Follows the target and what it starts through the kernel's records, which come in order of time:
 * processes begin, execute programs, map memory, and end, and samples are counted where they
 * belong.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/collect/images.h"
#include "cli/ticks/kernel_count.h"
#include "cli/ticks/kernel_process.h"
#include "cli/ticks/kernel_record.h"

struct kernel_follow {
	struct kernel_processes processes;
	struct kernel_counter counter;
	pid_t target;
	bool no_follow; /* the target only */
	double count_from, count_until;
	/* See struct kernel_ticks_settings. */
	void (*image_ended)(struct image *image, bool runs, void *data);
	void *data;
	/* What was found. */
	bool saw_target;
	uint32_t target_index; /* of its last image in the profile, once it has ended */
	uint64_t lost, throttles;
	uint64_t stood, outside; /* nanoseconds that samples stood for; that did not count */
	uint64_t settled_clock, settled_sampled; /* of the processes that have ended */
	int failure;				 /* the first -ENOMEM */
};

/* A process that is there before the first record. 0 or -ENOMEM. */
int kernel_follow_begin(struct kernel_follow *follow, pid_t pid);
void kernel_follow_done(struct kernel_follow *follow);

/* An image that announced itself: it is its process's from its start time on. 0 or -ENOMEM. */
int kernel_follow_add_image(struct kernel_follow *follow, struct image *image);

void kernel_follow_record(struct kernel_follow *follow, const struct kernel_record *record);

/*
 * Forgets processes that have been taken down, as was seen the last time; between two calls all
 * records of what was before the first have come.
 */
void kernel_follow_sweep(struct kernel_follow *follow);

/* Gives all images back. Returns how many processes still run. */
size_t kernel_follow_end(struct kernel_follow *follow);
