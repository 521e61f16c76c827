/* SPDX-License-Identifier: MIT */
/*
 * Split DWARF: the unit in the program is a skeleton, what it describes is in a .dwo file or in a
 * .dwp package of them.
 */
#pragma once

#include "symbolize/dwarf_units.h"

struct split_files; /* those that were opened */

struct split_files *split_files_new(const char *object_path, struct notes *notes);
void split_files_free(struct split_files *files);

/* The whole unit of a skeleton, opened once; NULL when @unit is none or its file is missing. */
struct dwarf_unit *split_unit(struct split_files *files, struct dwarf_unit *skeleton);
