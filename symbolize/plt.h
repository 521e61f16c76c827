/* SPDX-License-Identifier: MIT */
/*
 * The stubs through which calls to other objects go. They have no symbols; the machine code of
 * each says which slot it jumps through, and the relocation that fills the slot says for whom.
 */
#pragma once

#include "symbolize/symtab.h"

struct plt_stub {
	uint64_t start, end;
	const char *target; /* the function's name in its string table; NULL: see .resolver */
	uint64_t resolver;  /* of an IFUNC of this file: the address of its symbol */
};

/*
 * All stubs whose function is known, by falling or rising address as they come. @symbols and
 * @dynamic (both may be NULL) are the file's. 0 or -ENOMEM; *ret_stubs is freed by the caller.
 */
int plt_load(const struct elf_file *file, const struct dynamic *dynamic,
	     const struct symtab *symbols, struct plt_stub **ret_stubs, size_t *ret_count);

/* Whether @section holds stubs and nothing else. */
bool plt_is_section(const struct elf_section *section);
