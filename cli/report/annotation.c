/* SPDX-License-Identifier: MIT */
/* What `annotate` shows of one function. */

#include "cli/report/annotation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/report/code.h"
#include "cli/report/shorten.h"
#include "symbolize/util.h"

#define HEAD_REACH  10		/* lines above the first in which the function may be named */
#define TAIL_LINES  2		/* of the source behind the last line with ticks */
#define REACH	    (1UL << 20) /* bytes behind its last tick in which a function must end */
#define BEFORE_LINE 2 /* lines before the first with ticks, where the start is not known */

/* What the object says of where the function is. */
struct extent {
	uint64_t start, end;
	unsigned line; /* of its start, 0: not known */
};

struct extents {
	struct extent *extent; /* by rising addresses */
	size_t count, room;
};

static const struct profile_object *object_of(const struct annotation *annotation)
{
	return &annotation->profile->objects[annotation->listing.of.object];
}

/* The line where the function starts, if the code at its start is its own. */
static unsigned start_line(struct sym_object *code, const struct listing *listing, uint64_t start)
{
	struct sym_answer answer;

	if (sym_object_find(code, &start, 1, SYM_LINES | SYM_INLINES, &answer, NULL) < 0)
		return 0;
	for (size_t i = 0; i < answer.frame_count; i++) {
		const struct sym_frame *frame = &answer.frames[i];

		if (strcmp(frame->function, listing->of.function) == 0 && frame->file &&
		    listing->of.file && strcmp(frame->file, listing->of.file) == 0)
			return frame->line;
	}
	return 0;
}

/* The first place behind @address where another function begins. */
static uint64_t find_end(struct sym_object *code, uint64_t address)
{
	struct sym_range range = {address, address + REACH};
	AUTO_FREE uint64_t *cuts = NULL;
	size_t count = 0;

	if (sym_object_cuts(code, &range, 1, &cuts, &count, NULL) < 0 || count == 0)
		return address;
	return cuts[0];
}

/* Adds the extent around the code at @address unless it is known. */
static int add_extent(struct extents *extents, struct sym_object *code,
		      const struct listing *listing, uint64_t address)
{
	struct sym_answer answer;
	uint64_t start;

	for (size_t i = 0; i < extents->count; i++) {
		if (address >= extents->extent[i].start && address < extents->extent[i].end)
			return 0;
	}
	if (sym_object_find(code, &address, 1, 0, &answer, NULL) < 0 || answer.frame_count == 0)
		return 0;
	start = answer.symbol_address <= address ? answer.symbol_address : address;
	if (!grow(&extents->extent, extents->count + 1, &extents->room))
		return -ENOMEM;
	extents->extent[extents->count++] = (struct extent){
		.start = start,
		.end = find_end(code, address),
		.line = start_line(code, listing, start),
	};
	return 0;
}

static int find_extents(struct annotation *annotation, struct extents *extents)
{
	const struct listing *listing = &annotation->listing;
	struct sym_object *code;
	int result = 0;

	if (!code_exists(object_of(annotation)) ||
	    code_open(object_of(annotation), &code, NULL) < 0)
		return 0;
	for (size_t i = 0; i < listing->count && result == 0; i++)
		result = add_extent(extents, code, listing, listing->hit[i].address);
	sym_object_close(code);
	return result;
}

static int add_row(struct annotation *annotation, const struct annotation_row *row)
{
	if (!grow(&annotation->row, annotation->count + 1, &annotation->room))
		return -ENOMEM;
	annotation->row[annotation->count++] = *row;
	return 0;
}

static bool same_inlined(const struct listing_hit *a, const struct listing_hit *b)
{
	return a->line == b->line && a->inlined && b->inlined &&
	       a->inlined->function == b->inlined->function;
}

/* The row of @line, which has @text, and those of what was inlined there; *next advances. */
static int add_line(struct annotation *annotation, unsigned line, const char *text, size_t *next)
{
	const struct listing *listing = &annotation->listing;
	struct annotation_row row = {.line = line, .text = text ? text : ""};

	for (; *next < listing->count && listing->hit[*next].line == line &&
	       !listing->hit[*next].inlined;
	     (*next)++)
		row.millis += listing->hit[*next].millis;
	if (add_row(annotation, &row) < 0)
		return -ENOMEM;
	while (*next < listing->count && listing->hit[*next].line == line) {
		const struct listing_hit *first = &listing->hit[*next];

		row = (struct annotation_row){.line = line, .inlined = first->inlined};
		for (; *next < listing->count && same_inlined(first, &listing->hit[*next]);
		     (*next)++)
			row.millis += listing->hit[*next].millis;
		if (add_row(annotation, &row) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* The least line that is known of: of a start, or of a tick. */
static unsigned first_line(const struct extents *extents, unsigned first_tick)
{
	unsigned first = first_tick > BEFORE_LINE ? first_tick - BEFORE_LINE : 1;
	bool known = false;

	for (size_t i = 0; i < extents->count; i++) {
		unsigned line = extents->extent[i].line;

		if (!line || line > first_tick || (known && line >= first))
			continue;
		first = line;
		known = true;
	}
	return first;
}

/* "insert" of "void shop::index<long>::insert<int>(int)". Freed by the caller. */
static char *bare_name(const char *function)
{
	const char *part = function, *next;
	size_t length;

	while ((next = shorten_next_part(part)))
		part = next;
	length = strcspn(part, "(<");
	next = memrchr(part, ' ', length);
	return next ? strndup(next + 1, length - (size_t)(next + 1 - part)) : strndup(part, length);
}

/* What optimised code starts with may be lines below the one that names the function. */
static unsigned head_line(const struct annotation *annotation, unsigned line)
{
	AUTO_FREE char *name = bare_name(annotation->listing.of.function);
	unsigned head =
		name ? source_file_find_above(&annotation->source, line, HEAD_REACH, name) : 0;

	return head ? head : line;
}

static int list_source(struct annotation *annotation, const struct extents *extents)
{
	const struct listing *listing = &annotation->listing;
	unsigned last = listing->hit[listing->count - 1].line;
	size_t next = 0;
	int code = 0;

	/* Code that no line is known of comes first. */
	if (listing->hit[0].line == 0)
		code = add_line(annotation, 0, "(no line)", &next);
	if (next == listing->count)
		return code;
	for (unsigned line = head_line(annotation, first_line(extents, listing->hit[next].line));
	     code == 0 && line <= last + TAIL_LINES; line++) {
		const char *text = source_file_line(&annotation->source, line);

		if (text || line <= last)
			code = add_line(annotation, line, text, &next);
	}
	return code;
}

/* Without the file: the lines with ticks alone. */
static int list_lines(struct annotation *annotation)
{
	const struct listing *listing = &annotation->listing;
	int code = 0;

	for (size_t next = 0; next < listing->count && code == 0;)
		code = add_line(annotation, listing->hit[next].line, NULL, &next);
	return code;
}

/* Whether the hit's tick is of the instruction: the first one that starts in its bucket. */
static bool is_of(const struct listing_hit *hit, const struct disassembly *part, size_t index)
{
	const struct instruction *instruction = &part->instruction[index];
	uint64_t before = index ? part->instruction[index - 1].address : 0;

	if (instruction->address < hit->address)
		return hit->address + hit->size <= instruction->address + instruction->size;
	return instruction->address < hit->address + hit->size &&
	       (index == 0 || before < hit->address);
}

static int list_part(struct annotation *annotation, const struct disassembly *part)
{
	const struct listing *listing = &annotation->listing;
	int code = 0;

	for (size_t i = 0; i < part->count && code == 0; i++) {
		struct annotation_row row = {
			.address = part->instruction[i].address,
			.text = part->instruction[i].text,
		};

		for (size_t j = 0; j < listing->count; j++) {
			if (!is_of(&listing->hit[j], part, i))
				continue;
			row.millis += listing->hit[j].millis;
			row.line = listing->hit[j].line;
		}
		code = add_row(annotation, &row);
	}
	return code;
}

static int list_instructions(struct annotation *annotation, const struct extents *extents,
			     struct error *err)
{
	int code = 0;

	annotation->part = calloc(extents->count + 1, sizeof(*annotation->part));
	if (!annotation->part)
		return error_set(err, -ENOMEM, "cannot annotate: ");
	for (size_t i = 0; i < extents->count && code == 0; i++) {
		const struct extent *extent = &extents->extent[i];
		struct disassembly *part = &annotation->part[i];

		code = disassembly_make(object_of(annotation), extent->start, extent->end, part,
					err);
		if (code == 0)
			code = list_part(annotation, part);
		annotation->part_count = i + 1;
	}
	return code;
}

static int build(struct annotation *annotation, const struct extents *extents)
{
	const char *file = annotation->listing.of.file;
	struct error why = {.code = 0};
	int code = file ? source_file_read(file, &annotation->source) : -ENOENT;

	if (code == 0)
		return list_source(annotation, extents);
	if (file)
		snprintf(annotation->why, sizeof(annotation->why), "no source: %.150s: %s", file,
			 strerror(-code));
	else
		snprintf(annotation->why, sizeof(annotation->why),
			 "no source: %.100s has no debug information for it",
			 object_of(annotation)->name);
	code = extents->count ? list_instructions(annotation, extents, &why) : -ENOENT;
	if (code == 0 || code == -ENOMEM)
		return code;
	if (why.code)
		snprintf(annotation->why + strlen(annotation->why),
			 sizeof(annotation->why) - strlen(annotation->why), "; %s", why.text);
	annotation->count = 0;
	return list_lines(annotation);
}

int annotation_build(const struct profile *profile, struct listing *listing,
		     struct annotation *ret_annotation, struct error *err)
{
	struct extents extents = {.count = 0};
	int code;

	*ret_annotation = (struct annotation){.profile = profile, .listing = *listing};
	*listing = (struct listing){.count = 0};
	code = find_extents(ret_annotation, &extents);
	if (code == 0)
		code = build(ret_annotation, &extents);
	free(extents.extent);
	return code < 0 ? error_set(err, code, "cannot annotate: ") : 0;
}

void annotation_done(struct annotation *annotation)
{
	listing_done(&annotation->listing);
	source_file_done(&annotation->source);
	for (size_t i = 0; i < annotation->part_count; i++)
		disassembly_done(&annotation->part[i]);
	free(annotation->part);
	free(annotation->row);
	*annotation = (struct annotation){.count = 0};
}
