/* SPDX-License-Identifier: MIT */
/*
 * Raw addresses of an image: ticks in no histogram. They mean something only while the mappings in
 * which they were seen exist, so they are resolved as soon as they appear and stay what they were;
 * those of an earlier epoch lay in what dlclose(3) removed, or in what is still there.
 */
#pragma once

#include "cli/collect/images.h"

/* The pc of a key of the table. */
uint64_t image_raw_pc(uint64_t key);

/*
 * Finds out what new entries of the table are, and takes the ticks of earlier epochs out of it. 0
 * or -ENOMEM. The process may have ended.
 */
int image_raw_resolve(struct image *image, struct profile *profile);
