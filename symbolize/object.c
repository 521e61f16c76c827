/* SPDX-License-Identifier: MIT */
/* The objects of symbolize.h: one ELF file, the sources of its names, and the answers given. */

#include "symbolize/symbolize.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/arena.h"
#include "symbolize/debuginfo.h"
#include "symbolize/elf_file.h"
#include "symbolize/guard.h"
#include "symbolize/names.h"
#include "symbolize/sources.h"
#include "symbolize/syscall.h"
#include "symbolize/util.h"

struct sym_object {
	struct elf_file *file;
	struct arena arena;
	struct sources sources;
	struct names names;
	struct debuginfo *debuginfo; /* once lines were asked for */
	bool debuginfo_known;
	bool cut_short; /* one of its files, while it was read */
	struct notes notes;
};

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
	sources_open(&object->sources, file, &object->arena, &object->notes);
	object->names = (struct names){.arena = &object->arena, .sources = &object->sources};
	if (file->damage)
		notes_add(&object->notes, "'%s' is read in part: %s", file->path, file->damage);
	*ret_object = object;
	return 0;
}

/* Takes @file over. */
static int open_expected(struct elf_file *file, const struct sym_build_id *expect,
			 struct sym_object **ret_object, struct error *err)
{
	int r = check_build_id(file, expect, err);

	if (r == 0)
		return object_new(file, ret_object, err);
	elf_file_close(file);
	return r;
}

int sym_object_open(const char *path, const struct sym_build_id *expect,
		    struct sym_object **ret_object, struct error *err)
{
	struct elf_file *file;
	int r = elf_file_open(path, &file, err);

	return r < 0 ? r : open_expected(file, expect, ret_object, err);
}

int sym_object_open_fd(int fd, const char *path, const struct sym_build_id *expect,
		       struct sym_object **ret_object, struct error *err)
{
	struct elf_file *file;
	int r = elf_file_open_fd(fd, path, &file, err);

	return r < 0 ? r : open_expected(file, expect, ret_object, err);
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
	debuginfo_close(object->debuginfo);
	names_done(&object->names);
	sources_close(&object->sources);
	notes_done(&object->notes);
	arena_done(&object->arena);
	elf_file_close(object->file);
	free(object);
}

const char *sym_object_note(const struct sym_object *object, size_t index)
{
	return index < object->notes.count ? object->notes.texts[index] : NULL;
}

const char *sym_object_source(const struct sym_object *object)
{
	return object->sources.used;
}

/* Code that is known to be a function of its own, by where it starts. */
static const char *nameless(struct arena *arena, uint64_t start)
{
	char name[32];
	int length = snprintf(name, sizeof(name), "func_%" PRIx64, start);

	return arena_strndup(arena, name, (size_t)length);
}

/* Of @count @frames those whose function is not NULL get that of their symbol. 0 or -ENOMEM. */
static int name_frames(struct sym_object *object, const struct symbol *symbols, size_t count,
		       unsigned flags, struct sym_frame *frames)
{
	AUTO_FREE const char **raw = calloc(count + 1, sizeof(*raw));
	AUTO_FREE const char **shown = calloc(count + 1, sizeof(*shown));

	if (!raw || !shown)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (frames[i].function)
			raw[i] = symbols[i].name;
	if (names_show_all(&object->names, raw, count, flags, shown) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		if (!frames[i].function)
			continue;
		frames[i].function = raw[i] ? shown[i] : nameless(&object->arena, symbols[i].start);
		if (!frames[i].function)
			return -ENOMEM;
	}
	return 0;
}

/* A frame for each symbol that names an address; the others' have no function. */
static struct sym_frame *make_frames(struct sym_object *object, const struct rank *rank,
				     unsigned flags)
{
	const size_t count = rank->symbol_count;
	struct sym_frame *frames = arena_alloc(&object->arena, (count + 1) * sizeof(*frames));

	if (!frames)
		return NULL;
	for (size_t i = 0; i < rank->count; i++)
		if (rank->answers[i])
			frames[rank->answers[i] - 1].function = "";
	return name_frames(object, rank->symbols, count, flags, frames) < 0 ? NULL : frames;
}

static int answer_by_symbols(struct sym_object *object, const struct rank *rank, unsigned flags,
			     struct sym_answer *answers)
{
	const struct sym_frame *frames = make_frames(object, rank, flags);

	if (!frames)
		return -ENOMEM;
	for (size_t i = 0; i < rank->count; i++) {
		const struct symbol *symbol = rank_answer(rank, i);

		answers[i] = (struct sym_answer){.frame_count = 0};
		if (symbol)
			answers[i] = (struct sym_answer){.frames = &frames[rank->answers[i] - 1],
							 .frame_count = 1,
							 .symbol_address = symbol->start};
	}
	return 0;
}

/* The object's own debug information, or that of its debug file; opened once. */
static struct debuginfo *debuginfo_of(struct sym_object *object)
{
	const struct elf_file *file = object->file;

	if (object->debuginfo_known)
		return object->debuginfo;
	object->debuginfo_known = true;
	if (!debuginfo_is_in(file))
		file = sources_debug_file(&object->sources);
	if (file && debuginfo_is_in(file))
		object->debuginfo = debuginfo_open(file, object->file->path, &object->notes);
	return object->debuginfo;
}

static const char *debug_name(struct sym_object *object, const struct debug_frame *frame,
			      unsigned flags)
{
	const char *name = debug_frame_name(frame);

	return name ? names_show(&object->names, name, flags) : NULL;
}

/* The outermost frame is the symbol, if it has a name; NULL when nothing has. */
static const char *outermost_name(struct sym_object *object, const struct debug_frame *frame,
				  const struct symbol *symbol, unsigned flags,
				  const struct sym_answer *answer)
{
	const char *name = symbol && symbol->name ? NULL : debug_name(object, frame, flags);

	if (!name && answer->frame_count)
		name = answer->frames[0].function;
	return name;
}

/*
 * Puts what debug information knows around the answer of the symbols. Inlined functions whose
 * names are lost (with an alternate file, say) are left out: their time is that of their callers.
 */
static int add_debug_frames(struct sym_object *object, const struct debug_answer *debug,
			    const struct symbol *symbol, unsigned flags, struct sym_answer *answer)
{
	const struct debug_frame *outermost = &debug->frames[debug->count - 1];
	const size_t skipped = flags & SYM_INLINES ? 0 : debug->count - 1;
	const char *name = outermost_name(object, outermost, symbol, flags, answer);
	struct sym_frame *frames;
	size_t count = 0;

	if (!name)
		return 0;
	frames = arena_alloc(&object->arena, (debug->count - skipped) * sizeof(*frames));
	if (!frames)
		return -ENOMEM;
	for (const struct debug_frame *frame = debug->frames + skipped; frame <= outermost;
	     frame++) {
		frames[count].function =
			frame == outermost ? name : debug_name(object, frame, flags);
		if (!frames[count].function)
			continue;
		if (flags & SYM_LINES) {
			frames[count].file = frame->file;
			frames[count].line = frame->line;
		}
		count++;
	}
	answer->frames = frames;
	answer->frame_count = count;
	return 0;
}

static int answer_by_debuginfo(struct sym_object *object, const struct rank *rank, unsigned flags,
			       struct sym_answer *answers)
{
	struct debuginfo *info = debuginfo_of(object);
	AUTO_FREE struct debug_answer *found = NULL;
	int r;

	if (!info)
		return 0;
	found = calloc(rank->count + 1, sizeof(*found));
	if (!found)
		return -ENOMEM;
	r = debuginfo_find(info, rank->addresses, rank->count, &object->arena, found);
	for (size_t i = 0; i < rank->count && r == 0; i++)
		if (found[i].count)
			r = add_debug_frames(object, &found[i], rank_answer(rank, i), flags,
					     &answers[i]);
	return r;
}

/* Whether one of its files was cut short since there were @cuts, or before. */
static bool was_cut_short(struct sym_object *object, unsigned cuts)
{
	if (!object->cut_short && guard_cuts() != cuts) {
		object->cut_short = true;
		notes_add(&object->notes,
			  "code of '%s' is unknown: a file was cut short while it "
			  "was read",
			  object->file->path);
	}
	return object->cut_short;
}

int sym_object_find(struct sym_object *object, const uint64_t *addresses, size_t count,
		    unsigned flags, struct sym_answer *answers, struct error *err)
{
	const unsigned cuts = guard_cuts();
	struct rank rank = {.count = 0};
	int r = sources_rank(&object->sources, addresses, count, &rank);

	if (r == 0)
		r = answer_by_symbols(object, &rank, flags, answers);
	if (r == 0 && flags & (SYM_LINES | SYM_INLINES))
		r = answer_by_debuginfo(object, &rank, flags, answers);
	rank_done(&rank);
	if (was_cut_short(object, cuts) && count)
		memset(answers, 0, count * sizeof(*answers));
	return r < 0 ? error_set(err, r, "cannot name code of '%s': ", object->file->path) : 0;
}

int sym_object_cuts(struct sym_object *object, const struct sym_range *ranges, size_t count,
		    uint64_t **ret_cuts, size_t *ret_count, struct error *err)
{
	const unsigned cuts_before = guard_cuts();
	struct cuts cuts;
	int r;

	cuts_init(&cuts, ranges, count);
	r = sources_cut(&object->sources, &cuts);
	if (was_cut_short(object, cuts_before))
		cuts.count = 0;
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
