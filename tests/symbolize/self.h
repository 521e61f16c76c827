/* SPDX-License-Identifier: MIT */
/* The running test as an object to symbolize: its own file and where it was loaded. */
#pragma once

#include <link.h>
#include <stdint.h>

static inline int self_take_bias(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	*(uintptr_t *)data = info->dlpi_addr;
	return 1; /* the first object is the program */
}

/* The link-time address of code of this program. */
static inline uint64_t self_address(const void *code)
{
	uintptr_t bias = 0;

	dl_iterate_phdr(self_take_bias, &bias);
	return (uintptr_t)code - bias;
}
