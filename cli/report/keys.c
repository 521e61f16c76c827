/* SPDX-License-Identifier: MIT */
/* The table of --by's keys. */

#include "cli/report/keys.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/choice.h"
#include "symbolize/util.h"

#define TELLS(column) (1U << (column))
#define TELLS_CODE    (TELLS(COLUMN_FUNCTION) | TELLS(COLUMN_OBJECT))

static const struct key key_table[] = {
	{.name = "function", .summary = "function of the source", .tells = TELLS_CODE, .front = -1},
	{
		.name = "line",
		.summary = "line of the source",
		.tells = TELLS_CODE | TELLS(COLUMN_FILE) | TELLS(COLUMN_LINE),
		.front = -1,
	},
	{
		.name = "file",
		.summary = "file of the source",
		.tells = TELLS(COLUMN_FILE) | TELLS(COLUMN_OBJECT),
		.front = -1,
	},
	{
		.name = "object",
		.summary = "program or shared library",
		.tells = TELLS(COLUMN_OBJECT),
		.front = -1,
	},
	{
		.name = "address",
		.summary = "bucket of code, by its link-time address",
		.tells = TELLS_CODE | TELLS(COLUMN_ADDRESS),
		.front = COLUMN_ADDRESS,
	},
	{
		.name = "process",
		.summary = "process, by program and pid",
		.tells = TELLS(COLUMN_PROCESS),
		.front = COLUMN_PROCESS,
	},
	{
		.name = "thread",
		.summary = "thread of a run with --threads, by name and id",
		.tells = TELLS(COLUMN_THREAD),
		.front = COLUMN_THREAD,
	},
	{
		.name = "run",
		.summary = "run, of several files or of --repeat",
		.tells = TELLS(COLUMN_RUN),
		.front = COLUMN_RUN,
	},
};

const struct key *key_at(size_t index)
{
	return index < ARRAY_SIZE(key_table) ? &key_table[index] : NULL;
}

const char *key_name(size_t index)
{
	return index < ARRAY_SIZE(key_table) ? key_table[index].name : NULL;
}

static int keys_add(struct keys *keys, const char *name, struct error *err)
{
	long index = choice_find(key_name, name);
	char list[160];

	if (index < 0)
		return error_set(err, -EINVAL, "unknown key '%.20s'; %s", name,
				 choice_describe(key_name, name, list, sizeof(list)));
	for (size_t i = 0; i < keys->count; i++) {
		if (keys->key[i] == &key_table[index])
			return error_set(err, -EINVAL, "key '%s' stands twice", name);
	}
	keys->key[keys->count++] = &key_table[index];
	keys->tells |= key_table[index].tells;
	return 0;
}

int keys_parse(const char *text, struct keys *ret_keys, struct error *err)
{
	struct keys keys = {.count = 0};
	size_t length;

	_Static_assert(ARRAY_SIZE(key_table) <= KEYS_MAX,
		       "every key fits, since none stands twice");
	for (;; text += length + 1) {
		char name[32];
		int code;

		length = strcspn(text, ",");
		snprintf(name, sizeof(name), "%.*s", (int)length, text);
		code = keys_add(&keys, name, err);
		if (code < 0)
			return code;
		if (!text[length])
			break;
	}
	*ret_keys = keys;
	return 0;
}
