/* SPDX-License-Identifier: MIT */
/* A hash table of hashes. */

#include "symbolize/name_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Eight bytes at a time; mixed once more because the table uses the lowest bits. */
static uint64_t hash_name(const char *name, size_t length)
{
	uint64_t hash = length;

	for (size_t i = 0; i < length; i += sizeof(hash)) {
		const size_t left = length - i;
		uint64_t word = 0;

		memcpy(&word, name + i, left < sizeof(word) ? left : sizeof(word));
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	hash ^= hash >> 32;
	return hash ? hash : 1;
}

/* Where the hash is, or the free place for it. */
static uint64_t *find(const struct name_set *set, uint64_t hash)
{
	size_t i = hash & (set->capacity - 1);

	while (set->hashes[i] && set->hashes[i] != hash)
		i = (i + 1) & (set->capacity - 1);
	return &set->hashes[i];
}

static int grow(struct name_set *set)
{
	struct name_set larger = {.count = set->count,
				  .capacity = set->capacity ? 2 * set->capacity : 1024};

	larger.hashes = calloc(larger.capacity, sizeof(*larger.hashes));
	if (!larger.hashes)
		return -ENOMEM;
	for (size_t i = 0; i < set->capacity; i++)
		if (set->hashes[i])
			*find(&larger, set->hashes[i]) = set->hashes[i];
	free(set->hashes);
	*set = larger;
	return 0;
}

int name_set_add(struct name_set *set, const char *name, size_t length)
{
	const uint64_t hash = hash_name(name, length);
	uint64_t *place;

	if (set->count >= set->capacity / 2 && grow(set) < 0)
		return -ENOMEM;
	place = find(set, hash);
	set->count += *place == 0;
	*place = hash;
	return 0;
}

bool name_set_has(const struct name_set *set, const char *name, size_t length)
{
	return set->capacity && *find(set, hash_name(name, length)) != 0;
}

void name_set_done(struct name_set *set)
{
	free(set->hashes);
	*set = (struct name_set){.count = 0};
}
