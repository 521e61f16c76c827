/* SPDX-License-Identifier: MIT */
/* A list of blocks; the first is being filled. */

#include "symbolize/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)32 * 1024)

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	alignas(max_align_t) unsigned char memory[];
};

static struct arena_block *add_block(struct arena *arena, size_t size)
{
	struct arena_block *block;

	if (size < BLOCK_SIZE)
		size = BLOCK_SIZE;
	if (size > SIZE_MAX - sizeof(*block))
		return NULL;
	block = calloc(1, sizeof(*block) + size);
	if (!block)
		return NULL;
	block->size = size;
	block->next = arena->blocks;
	arena->blocks = block;
	return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	const size_t mask = alignof(max_align_t) - 1;
	struct arena_block *block = arena->blocks;
	void *memory;

	if (size > SIZE_MAX - mask)
		return NULL;
	size = (size + mask) & ~mask;
	if (!block || size > block->size - block->used)
		block = add_block(arena, size);
	if (!block)
		return NULL;
	memory = block->memory + block->used;
	block->used += size;
	return memory;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1);

	return copy ? memcpy(copy, text, length) : NULL;
}

void arena_join(struct arena *arena, struct arena *other)
{
	/* The block that is being filled stays the first. */
	struct arena_block **place = arena->blocks ? &arena->blocks->next : &arena->blocks;
	struct arena_block **last = &other->blocks;

	while (*last)
		last = &(*last)->next;
	*last = *place;
	*place = other->blocks;
	other->blocks = NULL;
}

void arena_done(struct arena *arena)
{
	while (arena->blocks) {
		struct arena_block *next = arena->blocks->next;

		free(arena->blocks);
		arena->blocks = next;
	}
}
