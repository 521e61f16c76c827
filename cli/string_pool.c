/* SPDX-License-Identifier: MIT */
/* A pool of strings: a hash table of pointers into blocks that never move. */

#include "cli/string_pool.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/util.h"

#define BLOCK_SIZE 65536

struct block {
	struct block *next;
	char text[];
};

struct string_pool {
	const char **slots; /* NULL: a free one; at most half are taken */
	size_t slot_count;  /* a power of two */
	size_t count;
	struct block *blocks;
	char *room; /* in the first block */
	size_t left;
};

struct string_pool *string_pool_new(void)
{
	AUTO_FREE struct string_pool *pool = calloc(1, sizeof(*pool));

	if (!pool)
		return NULL;
	pool->slot_count = 64;
	pool->slots = calloc(pool->slot_count, sizeof(*pool->slots));
	if (!pool->slots)
		return NULL;
	return steal_ptr(pool);
}

void string_pool_free(struct string_pool *pool)
{
	if (!pool)
		return;
	for (struct block *block = pool->blocks, *next; block; block = next) {
		next = block->next;
		free(block);
	}
	free(pool->slots);
	free(pool);
}

static size_t hash(const char *string)
{
	uint64_t value = 0xcbf29ce484222325;

	for (; *string; string++)
		value = (value ^ (unsigned char)*string) * 0x100000001b3;
	return (size_t)(value ^ (value >> 32));
}

static const char **find_slot(const struct string_pool *pool, const char *string)
{
	for (size_t at = hash(string);; at++) {
		const char **slot = &pool->slots[at & (pool->slot_count - 1)];

		if (!*slot || strcmp(*slot, string) == 0)
			return slot;
	}
}

static bool make_room(struct string_pool *pool)
{
	const char **old = pool->slots, **slots;
	size_t old_count = pool->slot_count;

	if ((pool->count + 1) * 2 <= old_count)
		return true;
	slots = calloc(old_count * 2, sizeof(*slots));
	if (!slots)
		return false;
	pool->slots = slots;
	pool->slot_count = old_count * 2;
	for (size_t i = 0; i < old_count; i++) {
		if (old[i])
			*find_slot(pool, old[i]) = old[i];
	}
	free(old);
	return true;
}

/* Room for @size bytes, in the block or in a new one. */
static char *take(struct string_pool *pool, size_t size)
{
	struct block *block;
	char *taken;

	if (size > pool->left) {
		size_t block_size = size > BLOCK_SIZE ? size : BLOCK_SIZE;

		block = malloc(sizeof(*block) + block_size);
		if (!block)
			return NULL;
		block->next = pool->blocks;
		pool->blocks = block;
		pool->room = block->text;
		pool->left = block_size;
	}
	taken = pool->room;
	pool->room += size;
	pool->left -= size;
	return taken;
}

const char *string_pool_add(struct string_pool *pool, const char *string)
{
	size_t size = strlen(string) + 1;
	const char **slot;
	char *copy;

	if (!make_room(pool))
		return NULL;
	slot = find_slot(pool, string);
	if (*slot)
		return *slot;
	copy = take(pool, size);
	if (!copy)
		return NULL;
	*slot = memcpy(copy, string, size);
	pool->count++;
	return *slot;
}
