/* SPDX-License-Identifier: MIT */
/* A set of names, kept as their hashes: of 64 bits, so that two names never share one by chance. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct name_set {
	uint64_t *hashes; /* open addressing; 0: free */
	size_t count, capacity;
};

/* Adds the first @length bytes of @name. 0 or -ENOMEM. */
int name_set_add(struct name_set *set, const char *name, size_t length);
bool name_set_has(const struct name_set *set, const char *name, size_t length);
void name_set_done(struct name_set *set);
