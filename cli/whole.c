/* SPDX-License-Identifier: MIT */
/* Nobody knows beforehand how much a pipe holds. */

#include "cli/whole.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "cli/grow.h"
#include "symbolize/util.h"

#define PIECE 65536

int whole_read(int fd, size_t max, uint8_t **ret_bytes, size_t *ret_size)
{
	AUTO_FREE uint8_t *bytes = NULL;
	size_t size = 0, room = 0;
	ssize_t got;

	do {
		if (size + 1 >= room && !grow(&bytes, room + PIECE, &room))
			return -ENOMEM;
		got = read(fd, bytes + size, room - size - 1);
		if (got < 0 && errno != EINTR)
			return -errno;
		size += got > 0 ? (size_t)got : 0;
		if (size > max)
			return -EFBIG;
	} while (got != 0);
	bytes[size] = '\0';
	*ret_bytes = steal_ptr(bytes);
	*ret_size = size;
	return 0;
}
