/* SPDX-License-Identifier: MIT */
/* Which functions, inlined into each other, are at an address: one scan over a unit's DIEs. */
#pragma once

#include "symbolize/dwarf_attr.h"

/* The function that is at an address, or one that was inlined around it. */
struct inline_frame {
	size_t address;		   /* index of the address */
	uint64_t die;		   /* in its unit */
	struct dwarf_die function; /* the DIE that names it: @die, or what it is an instance of */
	unsigned depth;		   /* of the DIE */
	uint64_t call_file, call_line; /* where it was inlined */
};

struct inline_frames {
	struct inline_frame *items; /* of one address together, outermost first */
	size_t count, capacity;
};

/*
 * The frames of the @count sorted @addresses in @unit. 0 or -ENOMEM; frames that a damaged unit
 * hides are left out. inline_frames_done() in any case.
 */
int inlines_find(struct dwarf_unit *unit, const uint64_t *addresses, size_t count,
		 struct inline_frames *ret_frames);
void inline_frames_done(struct inline_frames *frames);
