/* SPDX-License-Identifier: MIT */
/* From a sample to a tick: in the histogram that the preload registered, or in the profile. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cli/profile/profile.h"
#include "cli/ticks/kernel_process.h"
#include "cli/ticks/kernel_record.h"
#include "cli/ticks/kernel_texts.h"

struct kernel_counter {
	struct profile *profile;
	struct kernel_texts texts;
	uint32_t scale;
	bool main_only;
	bool threads_apart; /* what a thread counts is not in the histograms, which know none */
	double squares;	    /* of the weights that went into the profile */
};

/* Gives @process its place in the profile, if it has none yet. 0 or -ENOMEM. */
int kernel_count_process(struct kernel_counter *counter, struct kernel_process *process);

/* Its program has ended, by exec or for good: looks up the names of what it made. 0 or -ENOMEM. */
int kernel_count_end(struct kernel_counter *counter, struct kernel_process *process);

/* Counts @weight ticks for @sample. 0 or -ENOMEM. */
int kernel_count_sample(struct kernel_counter *counter, struct kernel_process *process,
			const struct kernel_record *sample, uint64_t weight);

/*
 * Counts @weight ticks that the process at @index of the profile was in the kernel, as its account
 * says, without a sample of them. 0 or -ENOMEM.
 */
int kernel_count_unseen(struct kernel_counter *counter, uint32_t index, uint64_t weight);
