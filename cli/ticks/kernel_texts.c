/* SPDX-License-Identifier: MIT */
/* Pieces of files, told apart by file, generation and offset: a rebuilt program is another one. */

#include "cli/ticks/kernel_texts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/collect/map_name.h"
#include "cli/collect/mapped_object.h"
#include "cli/grow.h"
#include "libsample/arena.h"
#include "symbolize/util.h"

struct kernel_text {
	struct kernel_piece piece; /* owns its path */
	uint32_t object;	   /* KERNEL_NONE: not looked into yet */
	uint64_t address;
};

static const char vdso[] = "[vdso]";

void kernel_texts_done(struct kernel_texts *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		free((char *)(uintptr_t)texts->texts[i].piece.path);
	free(texts->texts);
	*texts = (struct kernel_texts){0};
}

static bool is_code(const char *path)
{
	return strcmp(path, vdso) == 0 || map_name_is_file(path);
}

static bool same(const struct kernel_piece *known, const struct kernel_piece *piece, size_t length)
{
	return known->inode == piece->inode && known->offset == piece->offset &&
	       known->generation == piece->generation && known->major == piece->major &&
	       known->minor == piece->minor && strncmp(known->path, piece->path, length) == 0 &&
	       known->path[length] == '\0';
}

uint32_t kernel_texts_add(struct kernel_texts *texts, const struct kernel_piece *piece)
{
	size_t length = map_name_length(piece->path);
	struct kernel_text *text;

	if (!is_code(piece->path))
		return KERNEL_NONE;
	for (size_t i = 0; i < texts->count; i++) {
		if (same(&texts->texts[i].piece, piece, length))
			return (uint32_t)i;
	}
	if (!grow(&texts->texts, texts->count + 1, &texts->room))
		return KERNEL_NONE;
	text = &texts->texts[texts->count];
	*text = (struct kernel_text){.piece = *piece, .object = KERNEL_NONE};
	text->piece.path = strndup(piece->path, length);
	return text->piece.path ? (uint32_t)texts->count++ : KERNEL_NONE;
}

const char *kernel_texts_path(const struct kernel_texts *texts, uint32_t index)
{
	return texts->texts[index].piece.path;
}

static bool shows(const struct mapping *mapping, const struct kernel_piece *piece)
{
	return mapping && mapping->path && mapping->inode == piece->inode &&
	       strcmp(mapping->path, piece->path) == 0;
}

/* The mapping as the process tells it; as the kernel told it when the process is gone. */
static int64_t add_file(struct profile *profile, pid_t pid, const struct kernel_piece *piece,
			const struct kernel_mapping *told, uint64_t *ret_address)
{
	const struct mapping of_record = {
		.start = told->base,
		.end = told->end,
		.offset = piece->offset,
		.path = (char *)(uintptr_t)piece->path,
		.major = piece->major,
		.minor = piece->minor,
		.inode = piece->inode,
	};
	struct maps maps = {.count = 0};
	const struct mapping *mapping = NULL;
	int64_t added;

	if (maps_load(pid, &maps) == 0)
		mapping = maps_find(&maps, told->start);
	if (shows(mapping, piece)) {
		added = mapped_object_add(profile, pid, mapping, ret_address);
		*ret_address += told->base - mapping->start;
	} else {
		added = mapped_object_add(profile, pid, &of_record, ret_address);
	}
	maps_done(&maps);
	return added;
}

static int look_into(struct kernel_text *text, struct profile *profile, pid_t pid,
		     const struct kernel_mapping *mapping)
{
	struct profile_object object = {.kind = OBJECT_SPECIAL, .name = "[profrun]"};
	const char *path = text->piece.path;
	int64_t added;

	text->address = 0;
	if (strcmp(path, vdso) == 0)
		object = (struct profile_object){.kind = OBJECT_VDSO, .name = vdso};
	if (strcmp(path, vdso) == 0 || strcmp(basename(path), ARENA_MODULE) == 0)
		added = profile_add_object(profile, &object);
	else
		added = add_file(profile, pid, &text->piece, mapping, &text->address);
	if (added < 0)
		return (int)added;
	text->object = (uint32_t)added;
	return 0;
}

int kernel_texts_resolve(struct kernel_texts *texts, struct profile *profile, pid_t pid,
			 struct kernel_mapping *mapping)
{
	struct kernel_text *text = &texts->texts[mapping->text];
	int r = 0;

	if (text->object == KERNEL_NONE)
		r = look_into(text, profile, pid, mapping);
	if (r < 0)
		return r;
	mapping->object = text->object;
	mapping->address = text->address;
	return 0;
}
