/* SPDX-License-Identifier: MIT */
/*
 * The pieces of files that processes have mapped. The same few are mapped by all of them, so each
 * is looked into once, when it has its first tick.
 */
#pragma once

#include "cli/profile/profile.h"
#include "cli/ticks/kernel_maps.h"
#include "cli/ticks/kernel_record.h"

struct kernel_text;

struct kernel_texts {
	struct kernel_text *texts;
	size_t count, room;
};

void kernel_texts_done(struct kernel_texts *texts);

/*
 * The index of @piece, which is added if it is new; KERNEL_NONE if it is no file (and no vDSO), or
 * without memory.
 */
uint32_t kernel_texts_add(struct kernel_texts *texts, const struct kernel_piece *piece);

/* The path of the piece at @index. */
const char *kernel_texts_path(const struct kernel_texts *texts, uint32_t index);

/*
 * Finds the object of @mapping of @pid, which has a .text, and the link-time address of its base.
 * 0, -ENOMEM, or -ENOEXEC: it is no ELF file.
 */
int kernel_texts_resolve(struct kernel_texts *texts, struct profile *profile, pid_t pid,
			 struct kernel_mapping *mapping);
