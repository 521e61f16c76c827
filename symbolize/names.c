/* SPDX-License-Identifier: MIT */
/* A hash table from raw names, told apart by where they stand in the file, to shown ones. */

#include "symbolize/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/demangle.h"
#include "symbolize/each_name.h"
#include "symbolize/symbolize.h"
#include "symbolize/util.h"

#define NAME_FLAGS (SYM_NO_DEMANGLE | SYM_CLONES)

struct names_entry {
	const char *raw; /* NULL: free */
	const char *shown;
};

static uint64_t hash_name(const char *name)
{
	uint64_t hash = (uintptr_t)name * UINT64_C(0x9e3779b97f4a7c15);

	return hash ^ hash >> 32;
}

static bool string_list_has(struct bytes strings, const char *name)
{
	size_t size = strlen(name) + 1;
	const uint8_t *found = strings.data ? memmem(strings.data, strings.size, name, size) : NULL;

	return found && (found == strings.data || found[-1] == '\0');
}

/* Version names stand in .dynstr beside the symbols; a name without versions keeps its '@'. */
static bool is_version(const struct elf_file *file, const char *name)
{
	const struct elf_section *versions = elf_file_section_of_type(file, SHT_GNU_verdef);

	if (!versions)
		versions = elf_file_section_of_type(file, SHT_GNU_verneed);
	if (!versions || versions->header.sh_link >= file->section_count)
		return false;
	return string_list_has(elf_file_contents(file, &file->sections[versions->header.sh_link]),
			       name);
}

/* The length of @raw without "@VERSION" or "@@VERSION". */
static size_t without_version(const struct elf_file *file, const char *raw)
{
	const char *at = strchr(raw, '@');

	if (!at || at == raw)
		return strlen(raw);
	if (at[1] == '@')
		return (size_t)(at - raw);
	return is_version(file, at + 1) ? (size_t)(at - raw) : strlen(raw);
}

/* A stub is shown as its function with this behind. */
#define STUB_SUFFIX "@plt"

/* The length of @raw without the suffix, or 0 when it has none. */
static size_t stub_target(const char *raw)
{
	static const char *const suffixes[] = {STUB_SUFFIX, "$plt", "$pltgot"};
	const size_t length = strlen(raw);

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		size_t size = strlen(suffixes[i]);

		if (length > size && strcmp(raw + length - size, suffixes[i]) == 0)
			return length - size;
	}
	return 0;
}

/*
 * Takes suffixes of clones off; the function itself tells that one is such. 0, -ENOMEM, or -EAGAIN
 * when it has to be found and @names is NULL.
 */
static int cut_clone(const struct names *names, char *name)
{
	size_t length = strlen(name);

	for (;;) {
		bool numbered;
		size_t shorter = demangle_clone_start(name, length, &numbered);
		int r = 1;

		if (shorter == length)
			return 0;
		if (!numbered && !demangle_is_mangled(name))
			r = names ? sources_find_function(names->sources, name, shorter) : -EAGAIN;
		if (r <= 0)
			return r;
		name[shorter] = '\0';
		length = shorter;
	}
}

/* Takes @name over. */
static char *readable(char *name, unsigned flags)
{
	char *readable = flags & SYM_NO_DEMANGLE ? NULL : demangle(name);

	if (!readable)
		return name;
	free(name);
	return readable;
}

static char *shown_function(const struct names *names, const char *raw, unsigned flags)
{
	AUTO_FREE char *name = strndup(raw, without_version(names->sources->file, raw));

	if (!name || (!(flags & SYM_CLONES) && cut_clone(names, name) < 0))
		return NULL;
	return readable(steal_ptr(name), flags);
}

/* The same, by any thread, for a name that can be shown without a look at others, or else NULL. */
static char *shown_alone(const char *raw, unsigned flags)
{
	AUTO_FREE char *name = NULL;

	if (strchr(raw, '@') || stub_target(raw) > 0)
		return NULL;
	name = strdup(raw);
	if (!name || (!(flags & SYM_CLONES) && cut_clone(NULL, name) < 0))
		return NULL;
	return readable(steal_ptr(name), flags);
}

static char *shown_name(const struct names *names, const char *raw, unsigned flags)
{
	AUTO_FREE char *target = NULL, *function = NULL;
	const size_t length = stub_target(raw);
	char *shown;

	if (length == 0)
		return shown_function(names, raw, flags);
	target = strndup(raw, length);
	if (target)
		function = shown_function(names, target, flags);
	if (!function || asprintf(&shown, "%s" STUB_SUFFIX, function) < 0)
		return NULL;
	return shown;
}

static struct names_entry *find_entry(const struct names *names, const char *raw)
{
	size_t i = hash_name(raw) & (names->capacity - 1);

	for (;; i = (i + 1) & (names->capacity - 1)) {
		struct names_entry *entry = &names->entries[i];

		if (!entry->raw || entry->raw == raw)
			return entry;
	}
}

/* Makes room for @more names. */
static bool reserve(struct names *names, size_t more)
{
	struct names larger = *names;

	if (names->count + more <= names->capacity / 4 * 3)
		return true;
	if (larger.capacity == 0)
		larger.capacity = 256;
	while (names->count + more > larger.capacity / 4 * 3)
		larger.capacity *= 2;
	larger.entries = calloc(larger.capacity, sizeof(*larger.entries));
	if (!larger.entries)
		return false;
	for (size_t i = 0; i < names->capacity; i++) {
		const struct names_entry *entry = &names->entries[i];

		if (entry->raw)
			*find_entry(&larger, entry->raw) = *entry;
	}
	free(names->entries);
	*names = larger;
	return true;
}

/* Hardly anybody asks for the same names in different ways. */
static void choose_flags(struct names *names, unsigned flags)
{
	if (names->flags != (flags & NAME_FLAGS))
		names_done(names);
	names->flags = flags & NAME_FLAGS;
}

static const char *make_shown(struct names *names, const char *raw, unsigned flags)
{
	AUTO_FREE char *shown = shown_name(names, raw, flags);

	return shown ? arena_strndup(names->arena, shown, strlen(shown)) : NULL;
}

/* The name of @raw; if that is new here, it is @ready, unless NULL. */
static const char *show(struct names *names, const char *raw, unsigned flags, const char *ready)
{
	struct names_entry *entry;

	if (!reserve(names, 1))
		return NULL;
	entry = find_entry(names, raw);
	if (entry->raw)
		return entry->shown;
	if (!ready)
		ready = make_shown(names, raw, flags);
	if (!ready)
		return NULL;
	*entry = (struct names_entry){.raw = raw, .shown = ready};
	names->count++;
	return ready;
}

const char *names_show(struct names *names, const char *raw, unsigned flags)
{
	choose_flags(names, flags);
	return show(names, raw, flags, NULL);
}

int names_show_all(struct names *names, const char *const *raws, size_t count, unsigned flags,
		   const char **ret_shown)
{
	choose_flags(names, flags);
	if (!reserve(names, count))
		return -ENOMEM;
	each_name(names->sources->file, raws, count, shown_alone, flags, names->arena, ret_shown);
	for (size_t i = 0, looked_at = 0; i < count; i++) {
		if (!raws[i])
			continue;
		if (!ret_shown[i] && ++looked_at % EACH_NAME_FORGETS == 0)
			elf_file_forget(names->sources->file);
		ret_shown[i] = show(names, raws[i], flags, ret_shown[i]);
		if (!ret_shown[i])
			return -ENOMEM;
	}
	return 0;
}

void names_done(struct names *names)
{
	free(names->entries);
	names->entries = NULL;
	names->count = names->capacity = 0;
}
