/* SPDX-License-Identifier: MIT */
/* Finding the file into which a program's symbols and debug information were moved. */
#pragma once

#include "symbolize/elf_file.h"
#include "symbolize/notes.h"

/*
 * The debug file of @file, open: in the build-id directories, or where .gnu_debuglink says. A file
 * with another build-id, or with another checksum than the link's where build-ids cannot tell, is
 * never taken; that is noted. NULL when there is none.
 */
struct elf_file *debugfile_open(const struct elf_file *file, struct notes *notes);

/* The part of @file's symbols in .gnu_debugdata, or NULL. */
struct elf_file *debugfile_open_embedded(const struct elf_file *file, struct notes *notes);

/*
 * The file at @path if it is an ELF file with the build-id @id; NULL if not. Alternate debug files
 * are opened so.
 */
struct elf_file *debugfile_open_by_id(const char *path, const struct sym_build_id *id);

/* "DIR/name" where DIR is the folder of the file at @path; NULL when memory ran out. To be freed.
 */
char *debugfile_beside(const char *path, const char *name);
