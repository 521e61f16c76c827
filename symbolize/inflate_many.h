/* SPDX-License-Identifier: MIT */
/* Inflating several sections of a file at once. */
#pragma once

#include "symbolize/elf_file.h"

/*
 * Inflates those of the @count @sections of @file (each may be NULL) that are compressed and large,
 * at the same time, on a thread each. Only elf_file_contents() tells what became of them.
 */
void inflate_many(const struct elf_file *file, const struct elf_section *const *sections,
		  size_t count);
