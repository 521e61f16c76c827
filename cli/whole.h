/* SPDX-License-Identifier: MIT */
/* All that a descriptor has to say. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Reads @fd to its end, a pipe or socket as well, into memory that is the caller's to free; a NUL
 * follows. 0, or a negative errno: -EFBIG when there are more than @max bytes.
 */
int whole_read(int fd, size_t max, uint8_t **ret_bytes, size_t *ret_size);
