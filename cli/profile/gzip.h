/* SPDX-License-Identifier: MIT */
/* gzip, as a stream out and as a whole in. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct gzip;

/* Compresses to @stream, which stays the caller's; NULL when memory ran out. */
struct gzip *gzip_open(FILE *stream);
/* 0 or a negative errno; what @stream could not write is for its owner to see. */
int gzip_write(struct gzip *gzip, const void *bytes, size_t size);
/* Writes what is left. The gzip is gone afterwards in any case. */
int gzip_close(struct gzip *gzip);

/*
 * Inflates a whole gzip file (several members are one) of at most @limit bytes. 0, -ENOMEM, -EFBIG:
 * more than @limit, -EINVAL: broken or cut off. *ret_bytes is freed by the caller.
 */
int gzip_inflate(const void *bytes, size_t size, size_t limit, uint8_t **ret_bytes,
		 size_t *ret_size);
