/* SPDX-License-Identifier: MIT */
/*
 * From addresses to frames: the units that cover them, and in each its line program and its DIEs.
 */

#include "symbolize/debuginfo.h"

#include <dwarf.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "symbolize/dwarf_cover.h"
#include "symbolize/dwarf_inlines.h"
#include "symbolize/dwarf_lines.h"
#include "symbolize/dwarf_names.h"
#include "symbolize/dwarf_split.h"
#include "symbolize/util.h"

struct debuginfo {
	struct dwarf dwarf;
	struct split_files *splits;
};

/* The addresses in one unit. */
struct batch {
	struct debuginfo *info;
	struct dwarf_unit *unit;
	struct arena *arena;
	uint64_t *addresses; /* sorted */
	size_t *places;	     /* of each in the question */
	size_t count;
	struct line_header *lines;	/* of the program */
	struct line_header *call_files; /* that DIEs refer to */
	struct line_hit *hits;
	struct inline_frames frames;
	struct debug_answer *answers; /* of the question */
};

bool debuginfo_is_in(const struct elf_file *file)
{
	return elf_file_section(file, ".debug_info") || elf_file_section(file, ".zdebug_info");
}

struct debuginfo *debuginfo_open(const struct elf_file *file, const char *object_path,
				 struct notes *notes)
{
	struct debuginfo *info = calloc(1, sizeof(*info));

	if (!info)
		return NULL;
	info->splits = split_files_new(object_path, notes);
	if (!info->splits) {
		free(info);
		return NULL;
	}
	dwarf_init(&info->dwarf, file, false, notes);
	return info;
}

void debuginfo_close(struct debuginfo *info)
{
	if (!info)
		return;
	split_files_free(info->splits);
	dwarf_done(&info->dwarf);
	free(info);
}

const char *debug_frame_name(const struct debug_frame *frame)
{
	return frame->unit ? dwarf_function_name(frame->unit, frame->die) : NULL;
}

/* Opened once per unit; NULL when there is none, or it is damaged. */
static struct line_header *lines_of(struct dwarf *dwarf, struct dwarf_unit *unit)
{
	struct line_header header;

	if (unit->lines_known)
		return unit->lines;
	unit->lines_known = true;
	if (!unit->has_line_program && !unit->skeleton)
		return NULL;
	if (!lines_open(dwarf, unit->line_program, unit, &header)) {
		notes_add(dwarf->notes, "lines of '%s' are not known: they are damaged",
			  unit->name ? unit->name : dwarf->file->path);
		return NULL;
	}
	unit->lines = arena_alloc(&dwarf->arena, sizeof(*unit->lines));
	if (unit->lines)
		*unit->lines = header;
	return unit->lines;
}

/* A split unit has a table of files of its own, or shares its skeleton's. */
static struct line_header *call_files_of(const struct batch *batch, struct dwarf_unit *whole)
{
	if (whole == batch->unit || !dwarf_bytes(whole->dwarf, DWARF_LINE).size)
		return batch->lines;
	return lines_of(whole->dwarf, whole);
}

static void set_place(struct debug_frame *frame, struct line_header *files, uint64_t file,
		      uint64_t line)
{
	frame->file = files ? lines_path(files, file) : NULL;
	frame->line = line <= UINT_MAX ? (unsigned)line : 0;
}

/* @count frames of one address, outermost first; siblings that overlap are not nested. */
static size_t drop_siblings(struct inline_frame *frames, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (kept == 0 || frames[i].depth > frames[kept - 1].depth)
			frames[kept++] = frames[i];
	return kept;
}

/* A frame's place is where the next inner one was called; the innermost one's is the line's. */
static int answer(struct batch *batch, size_t i, struct inline_frame *frames, size_t count)
{
	struct debug_answer *answer = &batch->answers[batch->places[i]];
	const struct line_hit *hit = &batch->hits[i];

	if (answer->count > 1 || (answer->count && !count) || (!count && !hit->found))
		return 0;
	count = drop_siblings(frames, count);
	answer->count = count ? count : 1;
	answer->frames = arena_alloc(batch->arena, answer->count * sizeof(*answer->frames));
	if (!answer->frames)
		return -ENOMEM;
	if (hit->found)
		set_place(&answer->frames[0], batch->lines, hit->file, hit->line);
	for (size_t inner = 0; inner < count; inner++) {
		const struct inline_frame *frame = &frames[count - 1 - inner];

		answer->frames[inner].unit = frame->function.unit;
		answer->frames[inner].die = frame->function.offset;
		if (inner + 1 < count)
			set_place(&answer->frames[inner + 1], batch->call_files, frame->call_file,
				  frame->call_line);
	}
	return 0;
}

static int answer_all(struct batch *batch)
{
	size_t first = 0;

	for (size_t i = 0; i < batch->count; i++) {
		size_t end = first;
		int r;

		while (end < batch->frames.count && batch->frames.items[end].address == i)
			end++;
		r = answer(batch, i, batch->frames.items + first, end - first);
		if (r < 0)
			return r;
		first = end;
	}
	return 0;
}

static int find_in_unit(struct batch *batch)
{
	struct dwarf_unit *split = split_unit(batch->info->splits, batch->unit);
	struct dwarf_unit *whole = split ? split : batch->unit;
	int r;

	batch->hits = calloc(batch->count, sizeof(*batch->hits));
	if (!batch->hits)
		return -ENOMEM;
	batch->lines = lines_of(batch->unit->dwarf, batch->unit);
	if (batch->lines)
		lines_find(batch->lines, batch->addresses, batch->count, batch->hits);
	if (split)
		dwarf_refill(split->dwarf);
	batch->call_files = call_files_of(batch, whole);
	r = inlines_find(whole, batch->addresses, batch->count, &batch->frames);
	if (r == 0)
		r = answer_all(batch);
	inline_frames_done(&batch->frames);
	free(batch->hits);
	return r;
}

int debuginfo_find(struct debuginfo *info, const uint64_t *addresses, size_t count,
		   struct arena *arena, struct debug_answer *answers)
{
	struct batch batch = {.info = info, .arena = arena, .answers = answers};
	AUTO_FREE uint64_t *in_unit = malloc((count + 1) * sizeof(*in_unit));
	AUTO_FREE size_t *places = malloc((count + 1) * sizeof(*places));
	struct dwarf_cover cover;
	int r;

	if (!in_unit || !places)
		return -ENOMEM;
	dwarf_refill(&info->dwarf);
	r = dwarf_cover_find(&info->dwarf, addresses, count, &cover);
	for (size_t first = 0, end; first < cover.count && r == 0; first = end) {
		batch.unit = cover.items[first].unit;
		batch.count = 0;
		for (end = first; end < cover.count && cover.items[end].unit == batch.unit; end++) {
			places[batch.count] = cover.items[end].address;
			in_unit[batch.count++] = addresses[cover.items[end].address];
		}
		batch.addresses = in_unit;
		batch.places = places;
		r = find_in_unit(&batch);
	}
	dwarf_cover_done(&cover);
	return r;
}
