/* SPDX-License-Identifier: MIT */
/* Instructions of an object's code, by capstone, which is loaded only when it is needed. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cli/profile/profile.h"
#include "symbolize/error.h"

struct instruction {
	uint64_t address; /* link-time */
	unsigned size;
	char text[200]; /* "mov     eax, dword ptr [rdi]" */
};

struct disassembly {
	struct instruction *instruction; /* by rising addresses, without gaps */
	size_t count, room;
};

/*
 * The code of @object, a file, in [@start, @end); bytes that are no instruction are one each. A
 * negative errno with *err, such as -ENOTSUP where capstone is missing; disassembly_done() in any
 * case.
 */
int disassembly_make(const struct profile_object *object, uint64_t start, uint64_t end,
		     struct disassembly *ret_disassembly, struct error *err);
void disassembly_done(struct disassembly *disassembly);

/* Whether this build can disassemble where libcapstone is installed. */
int disassembly_built_in(void);
