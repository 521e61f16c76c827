/* SPDX-License-Identifier: MIT */
/* Half in its own code, half in the kernel, by write(2) and read(2). */

#include "tests/targets/truth.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

TRUTH_BURN(user_code, 3)

static char buffer[1 << 16];
static int null_fd, zero_fd;

/* A turn of the burners is about a nanosecond, a write to /dev/null about 150. */
static void call_write(uint64_t turns)
{
	for (uint64_t i = 0; i < turns / 150; i++) {
		if (write(null_fd, buffer, 4096) != 4096)
			abort();
	}
}

/* Zeroing 64 KiB takes about 3 us. */
static void call_read(uint64_t turns)
{
	for (uint64_t i = 0; i < turns / 3000; i++) {
		if (read(zero_fd, buffer, sizeof(buffer)) != (ssize_t)sizeof(buffer))
			abort();
	}
}

int main(void)
{
	struct truth_part parts[] = {
		{.name = "user_code", .burn = user_code, .share = 0.5},
		{.name = "write", .burn = call_write, .share = 0.25},
		{.name = "read", .burn = call_read, .share = 0.25},
	};
	struct truth truth;

	null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	zero_fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	truth_init(&truth, parts, 3, 0);
	truth_rounds(&truth, 4, 20);
	truth_end_thread(&truth);
	truth_write(&truth, 1);
	return 0;
}
