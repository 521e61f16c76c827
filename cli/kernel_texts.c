/* SPDX-License-Identifier: MIT */
/* Pieces of files, told apart by file, generation and offset: a rebuilt program is another one. */

#include "cli/kernel_texts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/grow.h"
#include "symbolize/util.h"

struct kernel_text {
	struct kernel_piece piece; /* owns its path */
	uint32_t object;	   /* KERNEL_NONE: not looked into yet */
	uint64_t address;
};

static const char vdso[] = "[vdso]";
static const char own[] = "profrun-preload.so";

void kernel_texts_done(struct kernel_texts *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		free((char *)(uintptr_t)texts->texts[i].piece.path);
	free(texts->texts);
	*texts = (struct kernel_texts){0};
}

/* What the kernel names without a file is not: "//anon", "[heap]", shared memory. */
static bool is_code(const char *path)
{
	if (strcmp(path, vdso) == 0)
		return true;
	return path[0] == '/' && path[1] != '/' && strncmp(path, "/memfd:", 7) != 0 &&
	       strncmp(path, "/SYSV", 5) != 0 && strncmp(path, "/dev/zero", 9) != 0;
}

/* Without what the kernel adds to the path of a file that has been removed. */
static size_t path_length(const char *path)
{
	static const char deleted[] = " (deleted)";
	size_t length = strlen(path), suffix = sizeof(deleted) - 1;

	if (length > suffix && strcmp(path + length - suffix, deleted) == 0)
		return length - suffix;
	return length;
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
	size_t length = path_length(piece->path);
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

/* A file that is gone, or no ELF file after all, still has its name; addresses are offsets then. */
static int look_into(struct kernel_text *text, struct profile *profile)
{
	struct profile_object object = {.kind = OBJECT_FILE, .path = text->piece.path};
	const char *slash = strrchr(object.path, '/');
	int64_t added;

	text->address = text->piece.offset;
	object.name = slash ? slash + 1 : object.path;
	if (strcmp(object.path, vdso) == 0) {
		object = (struct profile_object){.kind = OBJECT_VDSO, .name = vdso};
		text->address = 0;
	} else if (strcmp(object.name, own) == 0) {
		object = (struct profile_object){.kind = OBJECT_SPECIAL, .name = "[profrun]"};
	} else {
		sym_file_address(object.path, text->piece.offset, &text->address, &object.build_id);
	}
	added = profile_add_object(profile, &object);
	if (added < 0)
		return (int)added;
	text->object = (uint32_t)added;
	return 0;
}

int kernel_texts_resolve(struct kernel_texts *texts, struct profile *profile,
			 struct kernel_mapping *mapping)
{
	struct kernel_text *text = &texts->texts[mapping->text];
	int r = 0;

	if (text->object == KERNEL_NONE)
		r = look_into(text, profile);
	if (r < 0)
		return r;
	mapping->object = text->object;
	mapping->address = text->address;
	return 0;
}
