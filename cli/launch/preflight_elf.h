/* SPDX-License-Identifier: MIT */
/* What an executable ELF file says about itself. */
#pragma once

#include <limits.h>
#include <stdbool.h>

enum preflight_elf_kind {
	PREFLIGHT_ELF_NONE,    /* no ELF file */
	PREFLIGHT_ELF_BROKEN,  /* one that the kernel will not execute */
	PREFLIGHT_ELF_FOREIGN, /* of another class or machine */
	PREFLIGHT_ELF_STATIC,
	PREFLIGHT_ELF_LINKER, /* the dynamic linker as a program: it runs its argument */
	PREFLIGHT_ELF_DYNAMIC,
};

struct preflight_elf {
	enum preflight_elf_kind kind;
	unsigned machine;      /* EM_* */
	unsigned bits;	       /* 32 or 64 */
	bool go;	       /* made by Go's linker */
	char linker[PATH_MAX]; /* of _DYNAMIC: PT_INTERP */
};

/* Never fails: what cannot be read is not there. Any file may be given. */
void preflight_elf_read(int fd, struct preflight_elf *ret_elf);
