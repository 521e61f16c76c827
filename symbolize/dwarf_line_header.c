/* SPDX-License-Identifier: MIT */
/* Headers of line number programs, and the paths of the files that they name. */

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/dwarf_lines.h"
#include "symbolize/util.h"

static bool make_room(struct line_header *header, struct arena *arena, uint64_t directories,
		      uint64_t files)
{
	header->directories = arena_alloc(arena, directories * sizeof(*header->directories));
	header->files = arena_alloc(arena, files * sizeof(*header->files));
	header->paths = arena_alloc(arena, files * sizeof(*header->paths));
	header->directory_count = directories;
	header->file_count = files;
	return header->directories && header->files && header->paths;
}

/* Until DWARF 4 lists end with an empty name, and index 0 stands for the compilation's own. */
static uint64_t count_old(struct reader reader, bool with_numbers)
{
	uint64_t count = 1;

	for (;; count++) {
		const char *name = reader_string(&reader);

		if (!name || !name[0])
			return count;
		for (int i = 0; i < 3 && with_numbers; i++)
			reader_uleb(&reader);
	}
}

static bool read_old_tables(struct line_header *header, struct arena *arena, struct reader *reader)
{
	struct reader peek = *reader;
	const uint64_t directories = count_old(*reader, false);
	uint64_t files;

	for (uint64_t i = 0; i < directories; i++)
		reader_string(&peek);
	files = count_old(peek, true);
	if (!make_room(header, arena, directories, files))
		return false;
	header->directories[0] = header->unit->directory;
	for (uint64_t i = 1; i < directories; i++)
		header->directories[i] = reader_string(reader);
	reader_string(reader);
	header->files[0].name = header->unit->name;
	for (uint64_t i = 1; i < files; i++) {
		header->files[i].name = reader_string(reader);
		header->files[i].directory = reader_uleb(reader);
		reader_uleb(reader);
		reader_uleb(reader);
	}
	return true;
}

struct entry_format {
	struct {
		uint64_t content, form;
	} fields[16];
	uint8_t count;
};

static bool read_format(struct reader *reader, struct entry_format *ret_format)
{
	ret_format->count = reader_u8(reader);
	if (ret_format->count > ARRAY_SIZE(ret_format->fields))
		return false;
	for (uint8_t i = 0; i < ret_format->count; i++) {
		ret_format->fields[i].content = reader_uleb(reader);
		ret_format->fields[i].form = reader_uleb(reader);
	}
	return !reader->failed;
}

static void read_entry(struct dwarf_unit *forms, struct reader *reader,
		       const struct entry_format *format, struct line_file *ret_file)
{
	*ret_file = (struct line_file){.name = NULL};
	for (uint8_t i = 0; i < format->count; i++) {
		struct dwarf_value value;

		dwarf_form_read(forms, reader, format->fields[i].form, 0, &value);
		if (format->fields[i].content == DW_LNCT_path)
			ret_file->name = dwarf_value_string(forms, &value);
		else if (format->fields[i].content == DW_LNCT_directory_index)
			ret_file->directory = value.number;
	}
}

/*
 * Skips @count entries to learn what follows them; false when they cannot all be there. Since each
 * takes at least one byte, a damaged count never asks for more memory than the file is large.
 */
static bool skip_entries(struct dwarf_unit *forms, struct reader *reader,
			 const struct entry_format *format, uint64_t count)
{
	struct line_file ignored;

	if (count > reader_left(reader) || (count && format->count == 0))
		return false;
	for (uint64_t i = 0; i < count && !reader->failed; i++)
		read_entry(forms, reader, format, &ignored);
	return !reader->failed;
}

static bool read_new_tables(struct line_header *header, struct arena *arena,
			    struct dwarf_unit *forms, struct reader *reader)
{
	struct entry_format directory_format, file_format;
	struct reader directories_at, files_at;
	uint64_t directories, files;

	if (!read_format(reader, &directory_format))
		return false;
	directories = reader_uleb(reader);
	directories_at = *reader;
	if (!skip_entries(forms, reader, &directory_format, directories) ||
	    !read_format(reader, &file_format))
		return false;
	files = reader_uleb(reader);
	files_at = *reader;
	if (!skip_entries(forms, reader, &file_format, files) ||
	    !make_room(header, arena, directories, files))
		return false;
	for (uint64_t i = 0; i < directories; i++) {
		struct line_file directory;

		read_entry(forms, &directories_at, &directory_format, &directory);
		header->directories[i] = directory.name;
	}
	for (uint64_t i = 0; i < files; i++)
		read_entry(forms, &files_at, &file_format, &header->files[i]);
	return true;
}

/* The fixed fields between the lengths and the tables. */
static bool read_parameters(struct line_header *header, struct reader *reader)
{
	header->minimum_length = reader_u8(reader);
	header->operations = header->version >= 4 ? reader_u8(reader) : 1;
	reader_u8(reader); /* whether rows are statements at first: every row counts here */
	header->line_base = (int8_t)reader_u8(reader);
	header->line_range = reader_u8(reader);
	header->opcode_base = reader_u8(reader);
	for (unsigned i = 1; i < header->opcode_base; i++)
		header->lengths[i] = reader_u8(reader);
	return !reader->failed && header->line_range && header->opcode_base;
}

static uint64_t read_offset(struct reader *reader, const struct dwarf_unit *forms)
{
	return reader_unsigned(reader, forms->offset_size);
}

/* What stands before the parameters; the reader then ends with the program. */
static bool read_lengths(struct line_header *header, struct dwarf_unit *forms,
			 struct reader *reader, struct reader *ret_tables)
{
	uint64_t length = reader_length(reader, &forms->offset_size);

	if (reader->failed || !reader_has(reader, length))
		return false;
	reader->end = reader->at + length;
	header->version = reader_u16(reader);
	if (header->version < 2 || header->version > 5)
		return false;
	if (header->version >= 5) {
		forms->address_size = reader_u8(reader);
		reader_u8(reader);
	}
	length = read_offset(reader, forms);
	if (reader->failed || !reader_has(reader, length))
		return false;
	*ret_tables = *reader;
	ret_tables->end = reader->at + length;
	reader->at = ret_tables->end;
	return true;
}

bool lines_open(struct dwarf *dwarf, uint64_t offset, struct dwarf_unit *unit,
		struct line_header *ret_header)
{
	struct line_header header = {.unit = unit};
	struct reader reader = dwarf_reader(dwarf, DWARF_LINE, offset), tables;
	struct dwarf_unit forms = *unit;

	forms.dwarf = dwarf;
	if (!read_lengths(&header, &forms, &reader, &tables) || !read_parameters(&header, &tables))
		return false;
	if (!(header.version >= 5 ? read_new_tables(&header, &dwarf->arena, &forms, &tables)
				  : read_old_tables(&header, &dwarf->arena, &tables)))
		return false;
	header.program = reader;
	*ret_header = header;
	return true;
}

static char *join(struct arena *arena, const char *directory, const char *name)
{
	const size_t length = strlen(directory), size = length + strlen(name) + 2;
	const char *slash = length && directory[length - 1] == '/' ? "" : "/";
	char *path = arena_alloc(arena, size);

	if (path)
		snprintf(path, size, "%s%s%s", directory, slash, name);
	return path;
}

static const char *absolute(const struct line_header *header, struct arena *arena,
			    const struct line_file *file)
{
	const char *path = file->name, *directory = NULL;

	if (!path || path[0] == '/')
		return path;
	if (file->directory < header->directory_count)
		directory = header->directories[file->directory];
	if (directory && directory[0])
		path = join(arena, directory, path);
	directory = header->unit->directory;
	if (path && path[0] != '/' && directory && directory[0])
		path = join(arena, directory, path);
	return path;
}

const char *lines_path(struct line_header *header, uint64_t index)
{
	if (index >= header->file_count)
		return NULL;
	if (!header->paths[index])
		header->paths[index] =
			absolute(header, &header->unit->dwarf->arena, &header->files[index]);
	return header->paths[index];
}
