/* SPDX-License-Identifier: MIT */
/* One function's ticks, piece by piece. */

#include "cli/report/listing.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "cli/report/shares.h"

/* How well a function's name fits what was asked for; the best that there is decides. */
enum fit {
	FIT_NONE,
	FIT_INSIDE, /* the name contains it: to tell what could have been meant */
	FIT_TAIL,   /* without namespaces, or a Go package, and parameters */
	FIT_STEM,   /* without parameters */
	FIT_WHOLE,
};

struct search {
	const struct profile *profile;
	bool inlines;
	const char *name; /* of the function */
	char *place;	  /* file or object that must hold it, or NULL */
	enum fit best;
	struct listing_candidate *candidate;
	size_t count, room;
	struct listing *listing; /* of the second pass, which collects its hits */
};

static bool ends_name(const char *rest)
{
	return !*rest || *rest == '(' || *rest == '<' || *rest == '[';
}

static enum fit fit_of(const char *function, const char *name)
{
	size_t length = strlen(name);

	if (strcmp(function, name) == 0)
		return FIT_WHOLE;
	if (strncmp(function, name, length) == 0 && ends_name(function + length))
		return FIT_STEM;
	for (const char *at = strstr(function, name); at; at = strstr(at + 1, name)) {
		bool space = at - function >= 2 && at[-1] == ':' && at[-2] == ':';

		if ((space || (at > function && at[-1] == '.')) && ends_name(at + length))
			return FIT_TAIL;
	}
	return strstr(function, name) ? FIT_INSIDE : FIT_NONE;
}

/* Whether @path is @tail, or ends in it behind a slash. */
static bool path_ends(const char *path, const char *tail)
{
	size_t length = path ? strlen(path) : 0, tail_length = strlen(tail);

	if (tail_length > length || strcmp(path + length - tail_length, tail) != 0)
		return false;
	return tail_length == length || path[length - tail_length - 1] == '/';
}

static bool is_there(const struct search *search, const struct profile_frame *frame,
		     uint32_t object)
{
	return !search->place || path_ends(frame->file, search->place) ||
	       path_ends(search->profile->objects[object].name, search->place);
}

/* "FILE:FUNCTION", where the colon is no part of a C++ name. */
static int split_name(struct search *search, const char *text)
{
	const char *colon = strchr(text, ':');

	search->name = text;
	if (!colon || colon == text || colon[1] == ':' || !colon[1])
		return 0;
	search->name = colon + 1;
	search->place = strndup(text, (size_t)(colon - text));
	return search->place ? 0 : -ENOMEM;
}

static int add_candidate(struct search *search, const struct profile_frame *frame, uint32_t object,
			 uint64_t millis)
{
	for (size_t i = 0; i < search->count; i++) {
		struct listing_candidate *candidate = &search->candidate[i];

		if (candidate->function == frame->function && candidate->file == frame->file &&
		    candidate->object == object) {
			candidate->millis += millis;
			return 0;
		}
	}
	if (!grow(&search->candidate, search->count + 1, &search->room))
		return -ENOMEM;
	search->candidate[search->count++] = (struct listing_candidate){
		.function = frame->function,
		.file = frame->file,
		.object = object,
		.millis = millis,
	};
	return 0;
}

/* Whether the frame at @index is the outermost of its function: recursion may be inlined, too. */
static bool is_outermost(const struct profile_frame *frames, uint32_t index, uint32_t count)
{
	for (uint32_t i = index + 1; i < count; i++) {
		if (frames[i].function == frames[index].function)
			return false;
	}
	return true;
}

static uint32_t first_frame(const struct search *search, const struct share *share)
{
	return search->inlines ? 0 : share->place->frame_count - 1;
}

static int look_at(struct search *search, const struct profile_entry *entry,
		   const struct share *share)
{
	const struct profile_frame *frames = &search->profile->frames[share->place->frame];
	uint32_t count = share->place->frame_count;
	int code = 0;

	for (uint32_t i = first_frame(search, share); i < count && code == 0; i++) {
		enum fit fit = fit_of(frames[i].function, search->name);

		if (fit < search->best || fit == FIT_NONE || !is_outermost(frames, i, count) ||
		    !is_there(search, &frames[i], entry->object))
			continue;
		if (fit > search->best)
			search->count = 0;
		search->best = fit;
		code = add_candidate(search, &frames[i], entry->object, share->millis);
	}
	return code;
}

static int add_hit(struct search *search, const struct profile_entry *entry,
		   const struct share *share)
{
	struct listing *listing = search->listing;
	const struct profile_frame *frames = &search->profile->frames[share->place->frame];
	uint32_t count = share->place->frame_count;

	for (uint32_t i = first_frame(search, share); i < count; i++) {
		if (frames[i].function != listing->of.function ||
		    frames[i].file != listing->of.file || entry->object != listing->of.object ||
		    !is_outermost(frames, i, count))
			continue;
		if (!grow(&listing->hit, listing->count + 1, &listing->room))
			return -ENOMEM;
		listing->hit[listing->count++] = (struct listing_hit){
			.address = share->address,
			.size = share->bytes,
			.line = frames[i].line,
			.inlined = i && search->inlines ? &frames[i - 1] : NULL,
			.millis = share->millis,
		};
		return 0;
	}
	return 0;
}

/* Calls @take for each piece of named code that has ticks. */
static int each_share(struct search *search,
		      int (*take)(struct search *search, const struct profile_entry *entry,
				  const struct share *share))
{
	struct shares shares = {.inlines = search->inlines};
	int code = 0;

	for (size_t i = 0; i < search->profile->entry_count && code == 0; i++) {
		const struct profile_entry *entry = &search->profile->entries[i];

		code = shares_divide(&shares, search->profile, entry);
		for (size_t j = 0; j < shares.count && code == 0; j++) {
			if (shares.share[j].place && shares.share[j].millis)
				code = take(search, entry, &shares.share[j]);
		}
	}
	shares_done(&shares);
	return code;
}

static int compare_candidates(const void *left, const void *right)
{
	const struct listing_candidate *a = left, *b = right;

	if (a->millis != b->millis)
		return a->millis > b->millis ? -1 : 1;
	return strcmp(a->function, b->function);
}

static int compare_hits(const void *left, const void *right)
{
	const struct listing_hit *a = left, *b = right;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (!a->inlined != !b->inlined)
		return a->inlined ? 1 : -1;
	if (a->inlined && a->inlined->function != b->inlined->function)
		return strcmp(a->inlined->function, b->inlined->function);
	return (a->address > b->address) - (a->address < b->address);
}

static int find(struct search *search, struct listing *listing)
{
	int code = each_share(search, look_at);

	if (code < 0 || search->count == 0)
		return code;
	qsort(search->candidate, search->count, sizeof(*search->candidate), compare_candidates);
	if (search->count > 1 || search->best == FIT_INSIDE)
		return 0;
	listing->of = search->candidate[0];
	search->listing = listing;
	code = each_share(search, add_hit);
	if (listing->count)
		qsort(listing->hit, listing->count, sizeof(*listing->hit), compare_hits);
	return code;
}

int listing_find(const struct profile *profile, const char *name, bool inlines,
		 struct listing *ret_listing, struct listing_candidate **ret_candidates,
		 size_t *ret_candidate_count, struct error *err)
{
	struct search search = {.profile = profile, .inlines = inlines, .best = FIT_INSIDE};
	struct listing listing = {.count = 0};
	int code;

	if (!*name)
		return error_set(err, -EINVAL,
				 "FUNCTION is empty; 'profrun report' lists those that have ticks");
	code = split_name(&search, name);

	if (code == 0)
		code = find(&search, &listing);
	/* The colon may be one of the name after all. */
	if (code == 0 && search.count == 0 && search.place) {
		free(search.place);
		search.place = NULL;
		search.name = name;
		code = find(&search, &listing);
	}
	free(search.place);
	if (code == 0 && search.count) {
		*ret_listing = listing;
		*ret_candidates = search.candidate;
		*ret_candidate_count = search.count;
		return 0;
	}
	listing_done(&listing);
	free(search.candidate);
	if (code < 0)
		return error_set(err, code, "cannot annotate: ");
	return error_set(err, -ENOENT,
			 "no function '%.100s' has ticks; 'profrun report' lists those "
			 "that have",
			 name);
}

void listing_done(struct listing *listing)
{
	free(listing->hit);
	*listing = (struct listing){.count = 0};
}
