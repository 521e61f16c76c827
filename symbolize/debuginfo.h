/* SPDX-License-Identifier: MIT */
/* Lines and inlined functions: the debug information of one object, asked in batches. */
#pragma once

#include "symbolize/arena.h"
#include "symbolize/elf_file.h"
#include "symbolize/notes.h"

struct debuginfo;

struct debug_frame {
	struct dwarf_unit *unit; /* see debug_frame_name(); NULL: no function is known */
	uint64_t die;
	const char *file; /* NULL: not told */
	unsigned line;	  /* 0: not told */
};

struct debug_answer {
	struct debug_frame *frames; /* innermost first; the last is the function itself */
	size_t count;		    /* 0: nothing is known */
};

/* Whether the file has debug information of its own. */
bool debuginfo_is_in(const struct elf_file *file);

/*
 * That of @file, the object itself or its debug file, which stays the caller's; @object_path is
 * where to look for split files. NULL when memory ran out.
 */
struct debuginfo *debuginfo_open(const struct elf_file *file, const char *object_path,
				 struct notes *notes);
void debuginfo_close(struct debuginfo *info);

/* The name of the frame's function, to be demangled; NULL: not told. */
const char *debug_frame_name(const struct debug_frame *frame);

/*
 * Answers for @count sorted, unique addresses into @answers, which live in @arena or in @info. 0 or
 * -ENOMEM.
 */
int debuginfo_find(struct debuginfo *info, const uint64_t *addresses, size_t count,
		   struct arena *arena, struct debug_answer *answers);
