/* SPDX-License-Identifier: MIT */
/* The headers of an ELF file: what kind it is, its sections and its segments. */
#pragma once

#include "symbolize/elf_file.h"

/* Fills @file, whose image and path are set. -ENOEXEC with *err when it is no usable ELF file. */
int elf_headers_load(struct elf_file *file, struct error *err);
