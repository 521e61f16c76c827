/* SPDX-License-Identifier: MIT */
/* Two variables are looked after: LD_PRELOAD, a list in which ours is one entry, and the control.
 */

#include "libsample/follow.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "libsample/arena.h"
#include "libsample/next.h"
#include "libsample/sys.h"

#define MODULE	   "/" ARENA_MODULE
#define PRELOAD	   "LD_PRELOAD="
#define CONTROL	   ARENA_VARIABLE "="
#define SEPARATORS ": " /* the dynamic linker takes blanks, too */

/* It is made on the stack, which may be small. */
#define ROOM_MAX (64 * 1024)

static char preload[sizeof(PRELOAD) + PATH_MAX]; /* with our entry alone */
static char control[sizeof(CONTROL) + 96];
static const char *module_path; /* the path that the dynamic linker found; it stays loaded */

static const char *value_of(const char *entry, const char *name)
{
	return strncmp(entry, name, strlen(name)) == 0 ? entry + strlen(name) : NULL;
}

/* The last one, which the dynamic linker goes by; NULL: none. */
static char *const *find(char *const *environment, const char *name)
{
	char *const *found = NULL;

	for (; environment && *environment; environment++)
		if (value_of(*environment, name))
			found = environment;
	return found;
}

static const char *our_entry(void)
{
	return preload + strlen(PRELOAD);
}

/* Where our entry stands in the list; NULL: nowhere. */
static const char *find_entry(const char *list, const char *entry, size_t length)
{
	while (*list) {
		size_t here = strcspn(list, SEPARATORS);

		if (here == length && memcmp(list, entry, length) == 0)
			return list;
		list += here;
		list += strspn(list, SEPARATORS);
	}
	return NULL;
}

static bool has_ours(const char *list)
{
	return find_entry(list, our_entry(), strlen(our_entry()));
}

/* The entry of the list that names the module, wherever it is installed. */
static const char *find_module(const char *list, size_t *ret_length)
{
	const size_t module = strlen(MODULE);

	while (*list) {
		size_t length = strcspn(list, SEPARATORS);

		*ret_length = length;
		if (length > module && memcmp(list + length - module, MODULE, module) == 0)
			return list;
		list += length;
		list += strspn(list, SEPARATORS);
	}
	return NULL;
}

void follow_remember(const char *value)
{
	const char *list = getenv("LD_PRELOAD");
	size_t length = 0;
	const char *entry = list ? find_module(list, &length) : NULL;

	if (!entry || length >= PATH_MAX || strlen(CONTROL) + strlen(value) >= sizeof(control))
		return;
	module_path = next_own_path();
	strcpy(control, CONTROL);
	strcat(control, value);
	strcpy(preload, PRELOAD);
	memcpy(preload + strlen(PRELOAD), entry, length);
}

bool follow_is_on(void)
{
	return preload[0];
}

/*
 * What the dynamic linker needs for one object more, where a program hardly needs more itself: a
 * descriptor, a page of stack for a path, address space.
 */
static const struct {
	int resource;
	rlim_t least;
} needs[] = {
	{RLIMIT_NOFILE, 4},
	{RLIMIT_STACK, 64 << 10},
	{RLIMIT_AS, 8 << 20},
};

static bool limits_leave_room(void)
{
	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++) {
		struct rlimit limit;

		if (sys_call(SYS_prlimit64, 0, needs[i].resource, 0, &limit) == 0 &&
		    limit.rlim_cur < needs[i].least)
			return false;
	}
	return true;
}

bool follow_can_load(void)
{
	return module_path && sys_call(SYS_faccessat, AT_FDCWD, module_path, R_OK) == 0 &&
	       limits_leave_room();
}

static size_t count(char *const *environment)
{
	size_t result = 0;

	while (environment && environment[result])
		result++;
	return result;
}

static bool is_right(char *const *environment, bool enter)
{
	char *const *list = find(environment, PRELOAD);
	bool ours = list && has_ours(*list + strlen(PRELOAD));

	if (!enter)
		return !ours;
	return ours && find(environment, CONTROL);
}

size_t follow_room(char *const *environment, bool enter)
{
	char *const *list;
	size_t size;

	if (!follow_is_on() || is_right(environment, enter))
		return 0;
	list = find(environment, PRELOAD);
	size = (count(environment) + 3) * sizeof(*environment);
	size += list ? strlen(*list) + strlen(preload) + 2 : 0;
	return size > ROOM_MAX ? 0 : size;
}

/* Ours goes behind what the program wants, as profrun put it. */
static char *add_ours(const char *entry, char *room)
{
	const char *list = entry + strlen(PRELOAD);

	strcpy(room, entry);
	if (!has_ours(list)) {
		if (*list)
			strcat(room, ":");
		strcat(room, our_entry());
	}
	return room;
}

static char *without_ours(const char *entry, char *room)
{
	size_t length = strlen(our_entry()), before;
	const char *ours = find_entry(entry + strlen(PRELOAD), our_entry(), length);

	strcpy(room, entry);
	if (!ours)
		return room;
	before = (size_t)(ours - entry);
	/* With the separator before it, or the one behind. */
	if (before > strlen(PRELOAD))
		before--, length++;
	else if (ours[length])
		length++;
	strcpy(room + before, entry + before + length);
	return room;
}

/* Whether a variable that only we set may stay. */
static bool is_empty(const char *entry)
{
	return entry[strlen(PRELOAD)] == '\0';
}

char **follow_fit(char *const *environment, bool enter, void *room, size_t size)
{
	char *const *list = find(environment, PRELOAD);
	char **result = room, **next = result;
	char *text = (char *)room + (count(environment) + 3) * sizeof(*environment);

	if (size == 0)
		return (char **)(uintptr_t)environment;
	for (; environment && *environment; environment++) {
		*next = *environment;
		if (environment == list)
			*next = (enter ? add_ours : without_ours)(*environment, text);
		next += enter || environment != list || !is_empty(*next);
	}
	if (enter && !list)
		*next++ = preload;
	*next = NULL;
	if (enter && !find(result, CONTROL)) {
		*next++ = control;
		*next = NULL;
	}
	return result;
}
