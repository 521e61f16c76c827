/* SPDX-License-Identifier: MIT */
/* A pool of strings: a hash table of pointers into blocks that never move. */

#include "cli/profile/string_pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/util.h"

#define BLOCK_SIZE 65536

struct block {
	struct block *next;
	char text[];
};

struct slot {
	const char *string; /* NULL: a free one */
	size_t number;
};

struct string_pool {
	struct slot *slots; /* at most half are taken */
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

static struct slot *find_slot(const struct string_pool *pool, const char *string)
{
	for (size_t at = hash(string);; at++) {
		struct slot *slot = &pool->slots[at & (pool->slot_count - 1)];

		if (!slot->string || strcmp(slot->string, string) == 0)
			return slot;
	}
}

static bool make_room(struct string_pool *pool)
{
	struct slot *old = pool->slots, *slots;
	size_t old_count = pool->slot_count;

	if ((pool->count + 1) * 2 <= old_count)
		return true;
	slots = calloc(old_count * 2, sizeof(*slots));
	if (!slots)
		return false;
	pool->slots = slots;
	pool->slot_count = old_count * 2;
	for (size_t i = 0; i < old_count; i++) {
		if (old[i].string)
			*find_slot(pool, old[i].string) = old[i];
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

/* The slot of @string, which is added when it is new; NULL: out of memory. */
static const struct slot *add(struct string_pool *pool, const char *string, bool *ret_new)
{
	size_t size = strlen(string) + 1;
	struct slot *slot;
	char *copy;

	if (!make_room(pool))
		return NULL;
	slot = find_slot(pool, string);
	*ret_new = !slot->string;
	if (slot->string)
		return slot;
	copy = take(pool, size);
	if (!copy)
		return NULL;
	slot->string = memcpy(copy, string, size);
	slot->number = pool->count++;
	return slot;
}

const char *string_pool_add(struct string_pool *pool, const char *string)
{
	bool is_new;
	const struct slot *slot = add(pool, string, &is_new);

	return slot ? slot->string : NULL;
}

int64_t string_pool_number(struct string_pool *pool, const char *string, bool *ret_new)
{
	const struct slot *slot = add(pool, string, ret_new);

	return slot ? (int64_t)slot->number : -ENOMEM;
}

int string_pool_compare(const char *a, const char *b)
{
	if (a == b)
		return 0;
	return strcmp(a ? a : "", b ? b : "");
}
