/* SPDX-License-Identifier: MIT */
/* Telling by the machine code whether a thread was in the kernel. */
#pragma once

#include "symbolize/elf_file.h"

/* Whether a system call instruction of @file's machine ends or starts at @address. */
bool syscall_at(const struct elf_file *file, uint64_t address);
