/* SPDX-License-Identifier: MIT */
/* Completion scripts for shells, made from the tables of commands and options. */
#pragma once

#include <stddef.h>

/* The shell at @index that there is a script for, NULL after the last. */
const char *completion_shell(size_t index);

/* Prints the script of the shell at @index to stdout. */
void completion_print(size_t index);
