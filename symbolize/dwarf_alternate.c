/* SPDX-License-Identifier: MIT */
/* Finding the alternate file by .gnu_debugaltlink, or by .debug_sup of DWARF 5. */

#include "symbolize/dwarf_alternate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/debugfile.h"
#include "symbolize/util.h"

#define DEBUG_ROOT "/usr/lib/debug/"

struct link {
	const char *name;
	struct sym_build_id id;
};

static bool take_id(struct reader *reader, uint64_t size, struct link *link)
{
	if (reader->failed || size == 0 || size > SYM_BUILD_ID_MAX || size > reader_left(reader))
		return false;
	link->id.size = size;
	memcpy(link->id.bytes, reader->at, size);
	return true;
}

static struct reader section_reader(const struct elf_file *file, const char *name)
{
	return reader_of(elf_file_contents(file, elf_file_section(file, name)), file->big_endian);
}

static bool read_link(const struct elf_file *file, struct link *ret_link)
{
	struct reader reader = section_reader(file, ".gnu_debugaltlink");

	if (!reader.failed) {
		ret_link->name = reader_string(&reader);
		return take_id(&reader, reader_left(&reader), ret_link);
	}
	reader = section_reader(file, ".debug_sup");
	reader_u16(&reader);
	if (reader_u8(&reader) != 0) /* this is such a file itself */
		return false;
	ret_link->name = reader_string(&reader);
	return take_id(&reader, reader_uleb(&reader), ret_link);
}

static struct elf_file *open_owned_path(char *path, const struct sym_build_id *id)
{
	AUTO_FREE char *owned = path;

	return owned ? debugfile_open_by_id(owned, id) : NULL;
}

/* Links are relative to the file; packages say /usr/lib/debug/.dwz/ in different ways. */
static struct elf_file *open_link(const struct elf_file *file, const struct link *link)
{
	AUTO_FREE char *real = realpath(file->path, NULL);
	const char *dwz = strstr(link->name, ".dwz/");
	struct elf_file *found;
	char *path;

	if (link->name[0] == '/')
		found = debugfile_open_by_id(link->name, &link->id);
	else
		found = open_owned_path(debugfile_beside(real ? real : file->path, link->name),
					&link->id);
	if (found || !dwz || asprintf(&path, DEBUG_ROOT "%s", dwz) < 0)
		return found;
	return open_owned_path(path, &link->id);
}

struct dwarf *dwarf_alternate(struct dwarf *dwarf)
{
	struct link link;

	if (dwarf->alternate_known)
		return dwarf->alternate;
	dwarf->alternate_known = true;
	if (!read_link(dwarf->file, &link) || !link.name)
		return NULL;
	dwarf->alternate_file = open_link(dwarf->file, &link);
	if (!dwarf->alternate_file) {
		notes_add(dwarf->notes, "'%s', to which '%s' refers, is missing", link.name,
			  dwarf->file->path);
		return NULL;
	}
	dwarf->alternate = malloc(sizeof(*dwarf->alternate));
	if (dwarf->alternate)
		dwarf_init(dwarf->alternate, dwarf->alternate_file, false, dwarf->notes);
	return dwarf->alternate;
}

void dwarf_alternate_close(struct dwarf *dwarf)
{
	if (dwarf->alternate)
		dwarf_done(dwarf->alternate);
	free(dwarf->alternate);
	elf_file_close(dwarf->alternate_file);
	dwarf->alternate = NULL;
	dwarf->alternate_file = NULL;
}
