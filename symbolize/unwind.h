/* SPDX-License-Identifier: MIT */
/*
 * Functions without names: whatever can be unwound has a frame description entry in .eh_frame,
 * which strip(1) leaves, and which says where the function starts and ends.
 */
#pragma once

#include "symbolize/symtab.h"

/* Calls @visit with a nameless symbol for each entry, until it returns something else than 0. */
int unwind_each(const struct elf_file *file, symbol_visitor *visit, void *data);
