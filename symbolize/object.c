/* SPDX-License-Identifier: MIT */
/*
 * The objects of symbolize.h: one ELF file and the sources of names that it has. Sources are asked
 * in order, and only for the addresses that the earlier ones could not name.
 */

#include "symbolize/symbolize.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/arena.h"
#include "symbolize/cuts.h"
#include "symbolize/elf_file.h"
#include "symbolize/names.h"
#include "symbolize/rank.h"
#include "symbolize/syscall.h"
#include "symbolize/util.h"

#define NOTES_MAX 8

struct sym_object {
	struct elf_file *file;
	struct arena arena;
	struct names names;
	const char *source;
	const char *notes[NOTES_MAX];
	size_t note_count;
};

/* A source of symbols: visits each, in any order. */
struct source {
	const char *name;
	int (*each)(const struct sym_object *object, symbol_visitor *visit, void *data);
};

static int each_of_type(const struct elf_file *file, uint32_t type, symbol_visitor *visit,
			void *data)
{
	const struct elf_section *table = elf_file_section_of_type(file, type);

	return table ? symtab_each(file, table, visit, data) : 0;
}

static int each_in_symtab(const struct sym_object *object, symbol_visitor *visit, void *data)
{
	return each_of_type(object->file, SHT_SYMTAB, visit, data);
}

static int each_in_dynsym(const struct sym_object *object, symbol_visitor *visit, void *data)
{
	return each_of_type(object->file, SHT_DYNSYM, visit, data);
}

static const struct source sources[] = {
	{.name = ".symtab", .each = each_in_symtab},
	{.name = ".dynsym", .each = each_in_dynsym},
};

static void add_note(struct sym_object *object, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add_note(struct sym_object *object, const char *format, ...)
{
	AUTO_FREE char *text = NULL;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0) {
		text = NULL;
		return;
	}
	if (object->note_count < NOTES_MAX)
		object->notes[object->note_count] = arena_strndup(&object->arena, text, length);
	if (object->note_count < NOTES_MAX && object->notes[object->note_count])
		object->note_count++;
}

static int check_build_id(const struct elf_file *file, const struct sym_build_id *expect,
			  struct error *err)
{
	struct sym_build_id id;

	if (!expect || expect->size == 0)
		return 0;
	elf_file_build_id(file, &id);
	if (id.size == expect->size && memcmp(id.bytes, expect->bytes, id.size) == 0)
		return 0;
	return error_set(err, -ESTALE,
			 "cannot use '%s': it is not the file that ran (its build-id %s)",
			 file->path, id.size ? "differs" : "is missing");
}

static int object_new(struct elf_file *file, struct sym_object **ret_object, struct error *err)
{
	struct sym_object *object = calloc(1, sizeof(*object));

	if (!object) {
		elf_file_close(file);
		return error_set(err, -ENOMEM, "cannot read symbols: ");
	}
	object->file = file;
	object->names = (struct names){.arena = &object->arena, .file = file};
	if (file->damage)
		add_note(object, "'%s' is read in part: %s", file->path, file->damage);
	*ret_object = object;
	return 0;
}

int sym_object_open(const char *path, const struct sym_build_id *expect,
		    struct sym_object **ret_object, struct error *err)
{
	struct elf_file *file;
	int r = elf_file_open(path, &file, err);

	if (r < 0)
		return r;
	r = check_build_id(file, expect, err);
	if (r < 0) {
		elf_file_close(file);
		return r;
	}
	return object_new(file, ret_object, err);
}

int sym_object_open_memory(const char *name, const void *image, size_t size,
			   struct sym_object **ret_object, struct error *err)
{
	struct elf_file *file;
	int r = elf_file_open_memory(name, image, size, &file, err);

	return r < 0 ? r : object_new(file, ret_object, err);
}

void sym_object_close(struct sym_object *object)
{
	if (!object)
		return;
	names_done(&object->names);
	arena_done(&object->arena);
	elf_file_close(object->file);
	free(object);
}

const char *sym_object_note(const struct sym_object *object, size_t index)
{
	return index < object->note_count ? object->notes[index] : NULL;
}

const char *sym_object_source(const struct sym_object *object)
{
	return object->source;
}

static int rank_by_sources(struct sym_object *object, struct rank *rank)
{
	for (size_t i = 0; i < ARRAY_SIZE(sources) && rank->unanswered; i++) {
		size_t before = rank->unanswered;
		int r = sources[i].each(object, rank_offer, rank);

		if (r < 0)
			return r;
		rank_settle(rank);
		if (!object->source && rank->unanswered < before)
			object->source = sources[i].name;
	}
	rank_settle_unsized(rank);
	return 0;
}

static int answer_symbol(struct sym_object *object, const char *name, uint64_t start,
			 unsigned flags, struct sym_answer *answer)
{
	struct sym_frame *frame = arena_alloc(&object->arena, sizeof(*frame));

	if (!frame)
		return -ENOMEM;
	frame->function = names_show(&object->names, name, flags);
	if (!frame->function)
		return -ENOMEM;
	*answer = (struct sym_answer){.frames = frame, .frame_count = 1, .symbol_address = start};
	return 0;
}

static int make_answers(struct sym_object *object, const struct rank *rank, unsigned flags,
			struct sym_answer *answers)
{
	for (size_t i = 0; i < rank->count; i++) {
		int r = 0;

		answers[i] = (struct sym_answer){.frame_count = 0};
		if (i && rank->names[i] && rank->names[i] == rank->names[i - 1])
			answers[i] = answers[i - 1];
		else if (rank->names[i])
			r = answer_symbol(object, rank->names[i], rank->starts[i], flags,
					  &answers[i]);
		if (r < 0)
			return r;
	}
	return 0;
}

int sym_object_find(struct sym_object *object, const uint64_t *addresses, size_t count,
		    unsigned flags, struct sym_answer *answers, struct error *err)
{
	struct rank rank;
	int r = rank_init(&rank, addresses, count);

	if (r == 0)
		r = rank_by_sources(object, &rank);
	if (r == 0)
		r = make_answers(object, &rank, flags, answers);
	rank_done(&rank);
	return r < 0 ? error_set(err, r, "cannot name code of '%s': ", object->file->path) : 0;
}

static int cut_at_sections(const struct elf_file *file, struct cuts *cuts)
{
	for (size_t i = 0; i < file->section_count; i++) {
		const struct elf_section *section = &file->sections[i];
		int r;

		if (!elf_section_is_code(section))
			continue;
		r = cuts_add(cuts, section->header.sh_addr);
		if (r == 0)
			r = cuts_add(cuts, section->header.sh_addr + section->header.sh_size);
		if (r < 0)
			return r;
	}
	return 0;
}

int sym_object_cuts(struct sym_object *object, const struct sym_range *ranges, size_t count,
		    uint64_t **ret_cuts, size_t *ret_count, struct error *err)
{
	struct cuts cuts;
	int r;

	cuts_init(&cuts, ranges, count);
	r = cut_at_sections(object->file, &cuts);
	for (size_t i = 0; i < ARRAY_SIZE(sources) && r == 0; i++)
		r = sources[i].each(object, cuts_add_symbol, &cuts);
	if (r < 0) {
		cuts_done(&cuts);
		return error_set(err, r, "cannot name code of '%s': ", object->file->path);
	}
	cuts_sort(&cuts);
	*ret_cuts = cuts.addresses;
	*ret_count = cuts.count;
	return 0;
}

bool sym_object_at_syscall(struct sym_object *object, uint64_t address)
{
	return syscall_at(object->file, address);
}
