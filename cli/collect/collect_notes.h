/* SPDX-License-Identifier: MIT */
/* What a run could not count, and why: gathered image by image, said once. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cli/collect/images.h"
#include "cli/collect/summons.h"

struct collect_notes {
	bool damaged; /* somebody scribbled in the arena */
	struct reason {
		unsigned images;
		int error; /* of the first */
		const char *command;
	} reasons[ARENA_REASON_COUNT];
	uint64_t unarmed;		 /* threads */
	uint64_t refused[SUMMONS_COUNT]; /* threads that nobody armed and that could not be asked */
	/* Programs that images became without the preload entering them. */
	struct became {
		char *path;
		unsigned times;
	} * became;
	size_t became_count, became_room;
};

void collect_notes_done(struct collect_notes *notes);

void collect_notes_damaged(struct collect_notes *notes);

/* The preload entered what @image became. */
void collect_notes_entered(struct image *image);

/* Takes what an image that ended (or is left running) recorded. */
void collect_notes_image(struct collect_notes *notes, const struct image *image,
			 const struct profile *profile);

/* Takes the records of images that got no slice. */
void collect_notes_failures(struct collect_notes *notes, const struct arena_file *file);

/* Takes the programs that children became without the preload. */
void collect_notes_unentered(struct collect_notes *notes, const struct arena_file *file);

/* What the notes cannot know of themselves. */
struct collect_facts {
	size_t running; /* processes that are left */
	bool entered;	/* the preload entered the target itself */
	bool followed;	/* its children were to be profiled */
	bool main_only;
	bool from_outside; /* no preload was needed */
};

/* Adds it all to @profile. 0 or -ENOMEM. */
int collect_notes_write(const struct collect_notes *notes, struct profile *profile,
			const struct collect_facts *facts);
