/* SPDX-License-Identifier: MIT */
/*
 * Threads and processes that nothing in the program saw coming: a raw clone(2), _Fork(3), another
 * namespace of the dynamic linker. profrun finds them by the CPU time that they use without ticks
 * and asks them, by the signal that ticks, to arm themselves.
 *
 * Only what runs is asked, and only where our handler would answer: a signal that nobody catches
 * kills, and one that interrupts a sleep shows.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "cli/collect/images.h"
#include "cli/collect/pid_counts.h"

/* Why a thread that uses CPU time was not asked, or did not answer. */
enum summons_refusal {
	SUMMONS_ANSWERED,
	SUMMONS_GONE,	  /* it ended before, or is another program now */
	SUMMONS_SECCOMP,  /* its system calls are filtered: arming it might kill it */
	SUMMONS_BLOCKED,  /* it blocks the signal */
	SUMMONS_NOT_OURS, /* the signal has no handler, as after an exec */
	SUMMONS_UNHEARD,  /* it was asked, and did nothing */
	SUMMONS_COUNT,
};

struct summons; /* of one image; NULL: nothing was amiss yet */

/*
 * Looks at the threads of @image (which lives) and, if @follow, at the children that have no image
 * by @images_of. @nonce is the arena's. 0 or -ENOMEM.
 */
int summons_visit(struct image *image, uint64_t nonce, struct pid_counts *images_of, bool follow);
void summons_free(struct summons *summons);

/* How many threads of @image were not seen for that reason, as of the last visit. */
unsigned summons_refused(const struct summons *summons, enum summons_refusal why);

/* In words: "system calls are filtered". */
const char *summons_reason(enum summons_refusal why);
