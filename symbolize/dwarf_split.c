/* SPDX-License-Identifier: MIT */
/* Finding the other half of a skeleton unit by its name and checking it by its id. */

#include "symbolize/dwarf_split.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/debugfile.h"
#include "symbolize/dwarf_package.h"
#include "symbolize/util.h"

/* One .dwo file, or one unit's part of a package. */
struct split {
	struct split *next;
	struct elf_file *file; /* NULL: the package's */
	struct dwarf dwarf;
};

struct split_files {
	const char *object_path;
	struct notes *notes;
	struct split *splits;
	struct elf_file *package;
	bool package_known;
};

struct split_files *split_files_new(const char *object_path, struct notes *notes)
{
	struct split_files *files = calloc(1, sizeof(*files));

	if (files) {
		files->object_path = object_path;
		files->notes = notes;
	}
	return files;
}

void split_files_free(struct split_files *files)
{
	if (!files)
		return;
	while (files->splits) {
		struct split *next = files->splits->next;

		dwarf_done(&files->splits->dwarf);
		elf_file_close(files->splits->file);
		free(files->splits);
		files->splits = next;
	}
	elf_file_close(files->package);
	free(files);
}

/* The unit with the skeleton's id, which becomes the skeleton's. */
static struct dwarf_unit *find_unit(struct dwarf *dwarf, struct dwarf_unit *skeleton)
{
	if (dwarf_units_load(dwarf) < 0)
		return NULL;
	for (size_t i = 0; i < dwarf->unit_count; i++) {
		struct dwarf_unit *unit = &dwarf->units[i];

		unit->skeleton = skeleton;
		if (unit->type != DW_UT_split_type && dwarf_unit_load(unit) &&
		    unit->split_id == skeleton->split_id) {
			if (!unit->directory)
				unit->directory = skeleton->directory;
			return unit;
		}
		unit->skeleton = NULL;
	}
	return NULL;
}

static struct split *add_split(struct split_files *files)
{
	struct split *split = calloc(1, sizeof(*split));

	if (!split)
		return NULL;
	split->next = files->splits;
	files->splits = split;
	return split;
}

/* Takes the file over if it has the unit; otherwise it stays closed. */
static struct dwarf_unit *try_file(struct split_files *files, struct dwarf_unit *skeleton,
				   const char *path)
{
	struct elf_file *file;
	struct dwarf_unit *unit;
	struct split *split;

	if (!path || elf_file_open_unlinked(path, &file, NULL) < 0)
		return NULL;
	split = add_split(files);
	if (!split) {
		elf_file_close(file);
		return NULL;
	}
	split->file = file;
	dwarf_init(&split->dwarf, file, true, files->notes);
	unit = find_unit(&split->dwarf, skeleton);
	if (!unit)
		notes_add(files->notes, "'%s' is not used: it is not of the same build as '%s'",
			  path, files->object_path);
	return unit;
}

static struct dwarf_unit *try_package(struct split_files *files, struct dwarf_unit *skeleton)
{
	AUTO_FREE char *path = NULL;
	struct split *split;

	if (!files->package_known && asprintf(&path, "%s.dwp", files->object_path) < 0)
		path = NULL; /* asprintf leaves it undefined */
	if (path)
		elf_file_open_unlinked(path, &files->package, NULL);
	files->package_known = true;
	if (!files->package)
		return NULL;
	split = add_split(files);
	if (!split)
		return NULL;
	dwarf_init(&split->dwarf, files->package, true, files->notes);
	if (!package_select(&split->dwarf, skeleton->split_id))
		return NULL;
	return find_unit(&split->dwarf, skeleton);
}

static char *in_directory(const char *directory, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

/* Where it was made; and, since programs are moved with their files, beside the program. */
static struct dwarf_unit *try_files(struct split_files *files, struct dwarf_unit *skeleton)
{
	const char *name = skeleton->split_name;
	const char *slash = strrchr(name, '/');
	AUTO_FREE char *made = name[0] != '/' && skeleton->directory
				       ? in_directory(skeleton->directory, name)
				       : strdup(name);
	AUTO_FREE char *below = name[0] != '/' ? debugfile_beside(files->object_path, name) : NULL;
	AUTO_FREE char *beside = debugfile_beside(files->object_path, slash ? slash + 1 : name);
	struct dwarf_unit *unit = try_file(files, skeleton, made);

	if (!unit)
		unit = try_file(files, skeleton, below);
	if (!unit && slash)
		unit = try_file(files, skeleton, beside);
	return unit;
}

struct dwarf_unit *split_unit(struct split_files *files, struct dwarf_unit *skeleton)
{
	if (!skeleton->split_name || !skeleton->split_id)
		return NULL;
	if (skeleton->split_known)
		return skeleton->split;
	skeleton->split_known = true;
	skeleton->split = try_package(files, skeleton);
	if (!skeleton->split)
		skeleton->split = try_files(files, skeleton);
	if (!skeleton->split)
		notes_add(files->notes, "'%s' is missing: its inlined functions are not known",
			  skeleton->split_name);
	return skeleton->split;
}
