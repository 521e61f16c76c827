/* SPDX-License-Identifier: MIT */
/*
 * The user's LD_PRELOAD comes first, so that what it interposes still wins.
 */

#include "cli/launch/environment.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "symbolize/util.h"

/* The dynamic linker takes blanks as separators too. */
#define SEPARATORS ": "

struct list {
	char *text;
	size_t length;
};

/* The value when @entry is "NAME=value", else NULL. */
static const char *value_of(const char *entry, const char *name)
{
	size_t length = strlen(name);

	if (strncmp(entry, name, length) != 0 || entry[length] != '=')
		return NULL;
	return entry + length + 1;
}

static bool list_has(const char *list, const char *item)
{
	size_t length = strlen(item);

	while (*list) {
		size_t here = strcspn(list, SEPARATORS);

		if (here == length && memcmp(list, item, length) == 0)
			return true;
		list += here;
		list += strspn(list, SEPARATORS);
	}
	return false;
}

/* "LD_PRELOAD=old:preload" */
static char *make_preload(const char *old, const char *preload)
{
	const char *last = list_has(old, preload) ? "" : preload;
	char *entry;

	if (asprintf(&entry, "LD_PRELOAD=%s%s%s", old, *old && *last ? ":" : "", last) < 0)
		return NULL;
	return entry;
}

static char *make_control(const char *arena)
{
	char *entry;

	return asprintf(&entry, ENVIRONMENT_CONTROL "=%s", arena) < 0 ? NULL : entry;
}

static size_t count_entries(char **environment)
{
	size_t count = 0;

	while (environment[count])
		count++;
	return count;
}

static const char *get(char **environment, const char *name)
{
	for (; *environment; environment++) {
		const char *value = value_of(*environment, name);

		if (value)
			return value;
	}
	return "";
}

/* Every entry of @name becomes @entry; without one it is appended (there is room). */
static int put(char **environment, const char *name, const char *entry)
{
	size_t i;
	bool found = false;

	for (i = 0; environment[i]; i++) {
		if (!value_of(environment[i], name))
			continue;
		free(environment[i]);
		environment[i] = strdup(entry);
		if (!environment[i])
			return -ENOMEM;
		found = true;
	}
	if (found)
		return 0;
	environment[i] = strdup(entry);
	return environment[i] ? 0 : -ENOMEM;
}

static int put_preload(char **environment, const char *preload)
{
	AUTO_FREE char *entry = NULL;

	if (!preload)
		return 0;
	entry = make_preload(get(environment, "LD_PRELOAD"), preload);
	return entry ? put(environment, "LD_PRELOAD", entry) : -ENOMEM;
}

static int put_control(char **environment, const char *arena)
{
	AUTO_FREE char *entry = NULL;

	if (!arena)
		return 0;
	entry = make_control(arena);
	return entry ? put(environment, ENVIRONMENT_CONTROL, entry) : -ENOMEM;
}

/* With room for two more. */
static char **copy(char **base)
{
	size_t count = count_entries(base);
	char **environment = calloc(count + 3, sizeof(*environment));

	for (size_t i = 0; environment && i < count; i++) {
		environment[i] = strdup(base[i]);
		if (!environment[i]) {
			environment_free(environment);
			return NULL;
		}
	}
	return environment;
}

int environment_build(char **base, const char *preload, const char *arena, char ***ret_environment)
{
	char **environment = copy(base);

	if (!environment)
		return -ENOMEM;
	if (put_preload(environment, preload) < 0 || put_control(environment, arena) < 0) {
		environment_free(environment);
		return -ENOMEM;
	}
	*ret_environment = environment;
	return 0;
}

void environment_free(char **environment)
{
	if (!environment)
		return;
	for (char **entry = environment; *entry; entry++)
		free(*entry);
	free(environment);
}
