/* SPDX-License-Identifier: MIT */
/* What an ELF file tells a doctor. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct doctor_elf {
	uint64_t entry; /* where it starts */
	bool symbols;	/* a full table of them */
	bool lines;	/* debug information of its own */
	/* Functions that it takes from libraries. */
	bool sigprof;	    /* for an interval timer or profil() of its own */
	bool instruments;   /* built with -pg */
	bool stacks;	    /* stacks of its own */
	bool filters;	    /* may filter its system calls */
	char sanitizer[32]; /* the runtime's name, or "" */
};

/* False: it cannot be read as one. */
bool doctor_elf_read(const char *path, struct doctor_elf *ret_elf);
