/* SPDX-License-Identifier: MIT */
/* Memory that is freed all at once: what answers point to lives as long as their object. */
#pragma once

#include <stddef.h>

struct arena {
	struct arena_block *blocks;
};

/* Zeroed and aligned for any type; NULL when memory ran out. */
void *arena_alloc(struct arena *arena, size_t size);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
/* Moves all that @other has to @arena. */
void arena_join(struct arena *arena, struct arena *other);
void arena_done(struct arena *arena);
