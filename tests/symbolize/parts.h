/* SPDX-License-Identifier: MIT */
/* The fixture library, loaded, so that the dynamic linker tells where its functions are. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "symbolize/symbolize.h"

struct parts {
	uint64_t exported, callee, hidden; /* link-time addresses; the last is the static one's */
};

struct parts parts_load(void);

/* Opens the object at @path, asserting that it can be. */
struct sym_object *parts_open(const char *path);

/* The outermost name of one address, NULL for unknown code; valid until @object is closed. */
const char *parts_name(struct sym_object *object, uint64_t address);

/* A temporary copy of the file at @path in which @size bytes at @offset are @bytes; to be freed. */
char *parts_patched(const char *path, size_t offset, const void *bytes, size_t size);
