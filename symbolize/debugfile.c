/* SPDX-License-Identifier: MIT */
/* Separate debug files: candidates in the order of distributions' habits, each checked. */

#include "symbolize/debugfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "symbolize/debuginfod.h"
#include "symbolize/inflate.h"
#include "symbolize/util.h"

#define DEBUG_ROOT "/usr/lib/debug"

struct debuglink {
	const char *name;
	uint32_t crc;
};

static bool same_id(const struct sym_build_id *a, const struct sym_build_id *b)
{
	return a->size && a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

struct elf_file *debugfile_open_by_id(const char *path, const struct sym_build_id *id)
{
	struct sym_build_id found;
	struct elf_file *file;

	if (!path || elf_file_open_unlinked(path, &file, NULL) < 0)
		return NULL;
	elf_file_build_id(file, &found);
	if (same_id(&found, id))
		return file;
	elf_file_close(file);
	return NULL;
}

/* DEBUG_ROOT/.build-id/01/23456789....debug */
static struct elf_file *open_in_build_id_directory(const struct sym_build_id *id)
{
	char path[sizeof(DEBUG_ROOT "/.build-id/xx/.debug") + 2 * SYM_BUILD_ID_MAX];
	int length = snprintf(path, sizeof(path), DEBUG_ROOT "/.build-id/");

	if (id->size < 2)
		return NULL;
	for (size_t i = 0; i < id->size; i++)
		length += snprintf(path + length, sizeof(path) - (size_t)length,
				   i == 0 ? "%02x/" : "%02x", id->bytes[i]);
	snprintf(path + length, sizeof(path) - (size_t)length, ".debug");
	return debugfile_open_by_id(path, id);
}

char *debugfile_beside(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	char *result;

	if (asprintf(&result, "%.*s%s", slash ? (int)(slash - path + 1) : 0, path, name) < 0)
		return NULL;
	return result;
}

static bool read_debuglink(const struct elf_file *file, struct debuglink *ret_link)
{
	struct reader reader =
		reader_of(elf_file_contents(file, elf_file_section(file, ".gnu_debuglink")),
			  file->big_endian);
	const uint8_t *start = reader.at;

	ret_link->name = reader_string(&reader);
	if (!ret_link->name || !ret_link->name[0] || strchr(ret_link->name, '/'))
		return false;
	reader_skip(&reader, -(uint64_t)(reader.at - start) & 3);
	ret_link->crc = reader_u32(&reader);
	return !reader.failed;
}

static bool checksum_is(const struct elf_file *file, uint32_t expected)
{
	return crc32_z(crc32_z(0, NULL, 0), file->image, file->size) == expected;
}

/* Equal build-ids say more than the checksum, and cost less than reading the whole file. */
static bool is_for(const struct elf_file *candidate, const struct elf_file *file,
		   const struct debuglink *link, struct notes *notes)
{
	struct sym_build_id wanted, found;

	elf_file_build_id(file, &wanted);
	elf_file_build_id(candidate, &found);
	if (same_id(&wanted, &found))
		return true;
	if ((wanted.size == 0 || found.size == 0) && checksum_is(candidate, link->crc))
		return true;
	notes_add(notes, "'%s' is not used: it is not the debug file of '%s' (its %s differs)",
		  candidate->path, file->path, wanted.size && found.size ? "build-id" : "checksum");
	return false;
}

static struct elf_file *open_linked(char *path, const struct elf_file *file,
				    const struct debuglink *link, struct notes *notes)
{
	AUTO_FREE char *owned = path;
	struct elf_file *candidate;

	if (!owned || elf_file_open(owned, &candidate, NULL) < 0)
		return NULL;
	if (is_for(candidate, file, link, notes))
		return candidate;
	elf_file_close(candidate);
	return NULL;
}

static char *in_subfolder(const char *path, const char *name)
{
	AUTO_FREE char *below = NULL;

	if (asprintf(&below, ".debug/%s", name) < 0) {
		below = NULL;
		return NULL;
	}
	return debugfile_beside(path, below);
}

/* The file's own folder under the root of debug files. */
static char *under_debug_root(const char *path, const char *name)
{
	AUTO_FREE char *beside = debugfile_beside(path, name);
	char *result;

	if (!beside || asprintf(&result, DEBUG_ROOT "%s", beside) < 0)
		return NULL;
	return result;
}

static char *(*const link_places[])(const char *path, const char *name) = {
	debugfile_beside,
	in_subfolder,
	under_debug_root,
};

static struct elf_file *open_fetched(const char *object_path, const struct sym_build_id *id,
				     struct notes *notes)
{
	AUTO_FREE char *path = debuginfod_fetch(object_path, id, notes);

	return debugfile_open_by_id(path, id);
}

struct elf_file *debugfile_open(const struct elf_file *file, struct notes *notes)
{
	AUTO_FREE char *real = realpath(file->path, NULL);
	struct elf_file *found;
	struct sym_build_id id;
	struct debuglink link;

	elf_file_build_id(file, &id);
	found = open_in_build_id_directory(&id);
	if (!found && real && read_debuglink(file, &link))
		for (size_t i = 0; i < ARRAY_SIZE(link_places) && !found; i++)
			found = open_linked(link_places[i](real, link.name), file, &link, notes);
	return found ? found : open_fetched(file->path, &id, notes);
}

struct elf_file *debugfile_open_embedded(const struct elf_file *file, struct notes *notes)
{
	const struct bytes packed =
		elf_file_contents(file, elf_file_section(file, ".gnu_debugdata"));
	struct elf_file *embedded = NULL;
	struct bytes contents;
	int r;

	if (!packed.data)
		return NULL;
	r = inflate_xz(packed, &contents);
	if (r == 0)
		r = elf_file_adopt_memory(file->path, contents, &embedded);
	if (r < 0)
		notes_add(notes, "symbols in .gnu_debugdata of '%s' are not used: %s", file->path,
			  r == -ENOTSUP ? "built without lzma" : "they are damaged");
	return embedded;
}
