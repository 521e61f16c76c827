/* SPDX-License-Identifier: MIT */
/* Recognising the machine code of PLT stubs. */
#pragma once

#include "symbolize/elf_file.h"

#define PLT_NO_INDEX UINT64_MAX

struct plt_code {
	uint64_t start, end;
	uint64_t slot;	/* the address of the pointer that the stub jumps through; 0: not known */
	uint64_t index; /* what it pushes for the dynamic linker, or PLT_NO_INDEX */
};

struct plt_area {
	const struct elf_file *file;
	struct bytes code;
	uint64_t address;
	uint64_t stub_size; /* what the section header says, or 0 */
	uint64_t got;	    /* the base of the global offset table, for 32-bit x86 */
};

/* The stub that begins @offset bytes into the area, and moves the offset to the next; false: end.
 */
bool plt_code_next(const struct plt_area *area, uint64_t *offset, struct plt_code *ret_code);
