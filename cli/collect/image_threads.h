/* SPDX-License-Identifier: MIT */
/* The part of images that tells threads apart, in runs that ask for it. */
#pragma once

#include "cli/collect/images.h"

/* While the process lives: looks at the names of its threads. 0 or -ENOMEM. */
int image_threads_visit(struct image *image);

/*
 * The number of its first thread in the profile, once it was drained, or -ENOMEM; 0: threads are
 * not kept apart.
 */
int64_t image_first_thread(struct image *image, struct profile *profile);

/*
 * Divides what was gathered from the histograms among the threads that say they counted it. What
 * none of them claims stays as it is: the histograms have every tick, the threads' table may have
 * been full. 0 or -ENOMEM.
 */
int image_split_by_threads(struct image *image, struct profile *profile);
