/* SPDX-License-Identifier: MIT */
/* What collecting keeps, and its part that deals with images: of collect.c and collect_images.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/collect/arena_file.h"
#include "cli/collect/collect_notes.h"
#include "cli/collect/images.h"
#include "cli/collect/pid_counts.h"
#include "cli/collect/queue_delay.h"
#include "cli/collect/window.h"
#include "cli/profile/profile.h"
#include "cli/ticks/kernel_ticks.h"
#include "cli/ticks/signal_ticks.h"

struct collect {
	struct arena_file *file;
	struct kernel_ticks *kernel; /* NULL: the target ticks itself */
	struct signal_ticks *signal; /* NULL: profrun sends no ticks */
	double visit_at;	     /* seconds of the monotonic clock; where it does */
	int poll_fd;		     /* of all that calls for work */
	struct profile *profile;
	struct collect_notes notes;
	uint32_t next_slot; /* slots below have been looked at */
	uint32_t *pending;  /* slots that were taken and not yet ready */
	size_t pending_count, pending_room;
	struct image **live;
	size_t live_count, live_room;
	struct pid_counts images_of; /* how many images each process has had */
	double squares;		     /* of the weights of all ticks */
	/* Nanoseconds that make no whole tick yet: of program starts, of our own part in them. */
	uint64_t starting, own;
	struct window window;
	struct queue_delay delay;
	double ended_cpu; /* seconds of CPU time of the images that ended */
	struct arena_settings settings;
	pid_t target;
	int failure; /* the first -ENOMEM */
};

/* Keeps the first failure. */
void collect_images_fail(struct collect *collect, int r);

/* Looks at the slots that were taken since the last time. */
void collect_images_find(struct collect *collect);

/* Of a target that ticks itself: reads what its images counted, ends those that have ended. */
void collect_images_visit(struct collect *collect);

/* The same at the end of the run. Returns how many of their processes still run. */
size_t collect_images_end(struct collect *collect);

/* Of ticks from outside: takes what @image counted (struct kernel_ticks_settings). */
void collect_images_ended(struct image *image, bool runs, void *data);

/* Seconds of CPU time that all images have used, as of the last visits. */
double collect_images_cpu(const struct collect *collect);
