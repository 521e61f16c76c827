/* SPDX-License-Identifier: MIT */
/*
 * Names for a profile. Per object: the buckets become ranges, symbolize cuts them where another
 * function may begin, and the piece between two cuts is asked for once, however many buckets lie
 * in it.
 */

#include "cli/report/places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/progress.h"
#include "cli/report/code.h"
#include "cli/report/pieces.h"
#include "symbolize/util.h"

/*
 * In buckets up to this size one can see whether a system call has just returned: few other
 * instructions start in them.
 */
#define KERNEL_SIZE_MAX 4

/* Names by more than was asked for hold what was asked for. */
#define MORE_FLAGS ((unsigned)(SYM_LINES | SYM_INLINES))

/* What is being built, swapped into the profile at the end. */
struct builder {
	struct profile *profile;
	struct profile_place *places;
	size_t place_count, place_room;
	struct profile_frame *frames;
	size_t frame_count, frame_room;
	unsigned flags;
	bool mark_kernel;
	bool verbose;
};

static int compare_entries(const void *left, const void *right)
{
	const struct profile_entry *a = *(struct profile_entry *const *)left;
	const struct profile_entry *b = *(struct profile_entry *const *)right;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->size > b->size) - (a->size < b->size);
}

static bool same_frames(const struct builder *builder, const struct profile_place *place,
			const struct sym_answer *answer)
{
	if (place->frame_count != answer->frame_count)
		return false;
	for (size_t i = 0; i < answer->frame_count; i++) {
		const struct profile_frame *frame = &builder->frames[place->frame + i];
		const struct sym_frame *other = &answer->frames[i];

		if (frame->line != other->line || strcmp(frame->function, other->function) != 0 ||
		    !frame->file != !other->file ||
		    (frame->file && strcmp(frame->file, other->file) != 0))
			return false;
	}
	return true;
}

/* Gives @place the answer's frames; @previous is the place before it, whose frames may be the same.
 */
static int set_frames(struct builder *builder, struct profile_place *place,
		      const struct profile_place *previous, const struct sym_answer *answer)
{
	struct string_pool *strings = builder->profile->strings;

	place->frame_count = (uint32_t)answer->frame_count;
	if (previous && same_frames(builder, previous, answer)) {
		place->frame = previous->frame;
		return 0;
	}
	if (!grow(&builder->frames, builder->frame_count + answer->frame_count,
		  &builder->frame_room))
		return -ENOMEM;
	place->frame = (uint32_t)builder->frame_count;
	for (size_t i = 0; i < answer->frame_count; i++) {
		struct profile_frame *frame = &builder->frames[builder->frame_count++];
		const struct sym_frame *source = &answer->frames[i];

		frame->function = string_pool_add(strings, source->function);
		frame->file = source->file ? string_pool_add(strings, source->file) : NULL;
		frame->line = source->line;
		if (!frame->function || (source->file && !frame->file))
			return -ENOMEM;
	}
	return 0;
}

/* Makes places of the pieces with their answers; what is no code becomes none. */
static int add_places(struct builder *builder, const struct pieces *pieces, uint32_t object,
		      const struct sym_answer *answers)
{
	size_t first = builder->place_count;

	for (size_t i = 0; i < pieces->count; i++) {
		const struct piece *piece = &pieces->piece[i];
		struct profile_place *place;

		if (answers[i].frame_count == 0 && piece->brief)
			continue;
		if (!grow(&builder->places, builder->place_count + 1, &builder->place_room))
			return -ENOMEM;
		place = &builder->places[builder->place_count++];
		*place = (struct profile_place){
			.start = piece->start,
			.end = piece->end,
			.object = object,
		};
		if (set_frames(builder, place, place > &builder->places[first] ? place - 1 : NULL,
			       &answers[i]) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int name_pieces(struct builder *builder, const struct pieces *pieces, uint32_t object,
		       struct sym_object *code, struct error *err)
{
	AUTO_FREE uint64_t *addresses = calloc(pieces->count + 1, sizeof(*addresses));
	AUTO_FREE struct sym_answer *answers = calloc(pieces->count + 1, sizeof(*answers));
	int code_error;

	if (!addresses || !answers)
		return -ENOMEM;
	for (size_t i = 0; i < pieces->count; i++)
		addresses[i] = pieces->piece[i].start;
	code_error = sym_object_find(code, addresses, pieces->count, builder->flags, answers, err);
	return code_error < 0 ? code_error : add_places(builder, pieces, object, answers);
}

/* Whether a pc of the bucket is one where a thread stands while the kernel works for it. */
static bool in_kernel(struct sym_object *code, const struct profile_entry *entry)
{
	for (uint64_t i = 0; i < entry->size; i++) {
		if (sym_object_at_syscall(code, entry->address + i))
			return true;
	}
	return false;
}

static void mark_kernel(const struct buckets *buckets, struct sym_object *code)
{
	for (size_t i = 0; i < buckets->count; i++) {
		struct profile_entry *entry = buckets->entries[i];

		if (entry->size <= KERNEL_SIZE_MAX && in_kernel(code, entry))
			entry->kernel = entry->ticks;
	}
}

/* Keeps the names that the profile came with, for an object that cannot be read again. */
static int keep_places(struct builder *builder, uint32_t object)
{
	const struct profile *profile = builder->profile;

	for (size_t i = 0; i < profile->place_count; i++) {
		const struct profile_place *place = &profile->places[i];
		struct profile_place *copy;

		if (place->object != object)
			continue;
		if (!grow(&builder->places, builder->place_count + 1, &builder->place_room) ||
		    !grow(&builder->frames, builder->frame_count + place->frame_count,
			  &builder->frame_room))
			return -ENOMEM;
		copy = &builder->places[builder->place_count++];
		*copy = *place;
		copy->frame = (uint32_t)builder->frame_count;
		for (uint32_t j = 0; j < place->frame_count; j++)
			builder->frames[builder->frame_count++] = profile->frames[place->frame + j];
	}
	return 0;
}

static int add_details(struct builder *builder, const struct profile_object *object,
		       const struct sym_object *code)
{
	const char *note;

	if (!builder->verbose)
		return 0;
	if (sym_object_source(code) &&
	    profile_add_detail(builder->profile, "%s: names from %s", object->name,
			       sym_object_source(code)) < 0)
		return -ENOMEM;
	for (size_t i = 0; (note = sym_object_note(code, i)); i++) {
		if (profile_add_detail(builder->profile, "%s", note) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int find_in_code(struct builder *builder, const struct buckets *buckets,
			struct sym_object *code, struct error *err)
{
	uint32_t object = buckets->entries[0]->object;
	struct pieces pieces = {.count = 0};
	int code_error;

	if (builder->mark_kernel)
		mark_kernel(buckets, code);
	code_error = pieces_cut(&pieces, buckets, builder->flags & SYM_LINES, code, err);
	if (code_error == 0)
		code_error = name_pieces(builder, &pieces, object, code, err);
	if (code_error == 0)
		code_error = add_details(builder, &builder->profile->objects[object], code);
	free(pieces.piece);
	return code_error;
}

static int find_in_object(struct builder *builder, const struct buckets *buckets, struct error *err)
{
	uint32_t index = buckets->entries[0]->object;
	const struct profile_object *object = &builder->profile->objects[index];
	struct sym_object *code;
	struct error why;
	int code_error;

	if (object->kind == OBJECT_JIT)
		return keep_places(builder, index);
	if (!code_exists(object))
		return 0;
	if (code_open(object, &code, &why) < 0) {
		if (profile_add_note(builder->profile, "no names for %s: %s", object->name,
				     why.text) < 0)
			return -ENOMEM;
		return keep_places(builder, index);
	}
	code_error = find_in_code(builder, buckets, code, err);
	sym_object_close(code);
	return code_error;
}

/* Objects with more ticks come first: what can still be fetched for them is worth more. */
static int compare_ticks(const void *left, const void *right)
{
	const struct buckets *a = left, *b = right;

	if (a->ticks != b->ticks)
		return a->ticks > b->ticks ? -1 : 1;
	return (a->entries[0]->object > b->entries[0]->object) -
	       (a->entries[0]->object < b->entries[0]->object);
}

/* The entries of each object, most ticks first. */
static struct buckets *split_entries(struct profile_entry **entries, size_t count,
				     size_t *ret_count)
{
	struct buckets *objects = calloc(count + 1, sizeof(*objects));
	size_t found = 0;

	for (size_t i = 0; objects && i < count; i++) {
		if (i == 0 || entries[i]->object != entries[i - 1]->object)
			objects[found++] = (struct buckets){.entries = entries + i};
		objects[found - 1].count++;
		objects[found - 1].ticks += entries[i]->ticks;
	}
	if (found)
		qsort(objects, found, sizeof(*objects), compare_ticks);
	*ret_count = found;
	return objects;
}

static int compare_places(const void *left, const void *right)
{
	const struct profile_place *a = left, *b = right;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	return (a->start > b->start) - (a->start < b->start);
}

static int find_in_objects(struct builder *builder, struct profile_entry **entries, size_t count,
			   struct error *err)
{
	size_t object_count = 0;
	AUTO_FREE struct buckets *objects = split_entries(entries, count, &object_count);

	if (!objects)
		return -ENOMEM;
	for (size_t i = 0; i < object_count; i++) {
		uint32_t object = objects[i].entries[0]->object;
		int code;

		progress_begin("finding names in %.100s", builder->profile->objects[object].name);
		progress_tell(i, object_count);
		code = find_in_object(builder, &objects[i], err);
		if (code < 0)
			return code;
	}
	if (builder->place_count)
		qsort(builder->places, builder->place_count, sizeof(*builder->places),
		      compare_places);
	return 0;
}

bool places_show_kernel(const struct profile *profile)
{
	for (size_t i = 0; i < profile->entry_count; i++) {
		const struct profile_entry *entry = &profile->entries[i];

		if (entry->size > KERNEL_SIZE_MAX && code_exists(&profile->objects[entry->object]))
			return false;
	}
	return true;
}

static void take_places(struct builder *builder)
{
	struct profile *profile = builder->profile;

	free(profile->places);
	free(profile->frames);
	profile->places = steal_ptr(builder->places);
	profile->place_count = builder->place_count;
	profile->frames = steal_ptr(builder->frames);
	profile->frame_count = builder->frame_count;
	profile->named = true;
	profile->name_flags = builder->flags;
	profile->kernel_known = profile->kernel_known || builder->mark_kernel;
}

static bool is_named(const struct profile *profile, unsigned flags)
{
	return profile->named && (profile->name_flags & ~MORE_FLAGS) == (flags & ~MORE_FLAGS) &&
	       !(flags & ~profile->name_flags);
}

int places_find(struct profile *profile, unsigned flags, bool verbose, struct error *err)
{
	AUTO_FREE struct profile_entry **entries =
		calloc(profile->entry_count + 1, sizeof(*entries));
	struct builder builder = {
		.profile = profile,
		.flags = flags,
		.mark_kernel =
			!profile->kernel_known && !profile->named && places_show_kernel(profile),
		.verbose = verbose,
	};
	int code = -ENOMEM;

	if (profile->foreign || is_named(profile, flags))
		return 0;
	if (entries) {
		for (size_t i = 0; i < profile->entry_count; i++)
			entries[i] = &profile->entries[i];
		qsort(entries, profile->entry_count, sizeof(*entries), compare_entries);
		code = find_in_objects(&builder, entries, profile->entry_count, err);
		progress_end();
	}
	if (code == 0)
		take_places(&builder);
	free(builder.places);
	free(builder.frames);
	return code == -ENOMEM ? error_set(err, code, "cannot name the code: ") : code;
}

/*
 * Places reach a little beyond their buckets, so that those of two batches may overlap. Functions
 * are the same then, since no place reaches into the next one; lines hold from the start of a place
 * to that of the next.
 */
static void part_places(struct builder *builder)
{
	size_t kept = 0;

	for (size_t i = 0; i < builder->place_count; i++) {
		const struct profile_place *place = &builder->places[i];
		struct profile_place *last = kept ? &builder->places[kept - 1] : NULL;
		bool overlaps = last && last->object == place->object && place->start < last->end;

		if (overlaps && builder->flags & SYM_LINES && place->start > last->start) {
			last->end = place->start;
			overlaps = false;
		}
		if (!overlaps)
			builder->places[kept++] = *place;
		else if (place->end > last->end)
			last->end = place->end;
	}
	builder->place_count = kept;
}

int places_add(struct profile *profile, struct profile_entry **entries, size_t count,
	       struct sym_object *code, unsigned flags, struct error *err)
{
	const struct buckets buckets = {.entries = entries, .count = count};
	struct builder builder = {
		.profile = profile,
		.places = steal_ptr(profile->places),
		.place_count = profile->place_count,
		.place_room = profile->place_count,
		.frames = steal_ptr(profile->frames),
		.frame_count = profile->frame_count,
		.frame_room = profile->frame_count,
		.flags = flags,
		.mark_kernel = true,
	};
	int code_error = find_in_code(&builder, &buckets, code, err);

	if (builder.place_count)
		qsort(builder.places, builder.place_count, sizeof(*builder.places), compare_places);
	part_places(&builder);
	take_places(&builder);
	return code_error == -ENOMEM ? error_set(err, code_error, "cannot name the code: ")
				     : code_error;
}

const struct profile_place *places_overlap(const struct profile *profile, uint32_t object,
					   uint64_t start, uint64_t end, size_t *ret_count)
{
	size_t low = 0, high = profile->place_count, count = 0;

	/* The first place that ends behind @start. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct profile_place *place = &profile->places[middle];

		if (place->object < object || (place->object == object && place->end <= start))
			low = middle + 1;
		else
			high = middle;
	}
	while (low + count < profile->place_count &&
	       profile->places[low + count].object == object &&
	       profile->places[low + count].start < end)
		count++;
	*ret_count = count;
	return profile->places + low;
}
