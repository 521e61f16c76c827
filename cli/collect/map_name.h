/* SPDX-License-Identifier: MIT */
/* The names that the kernel gives mappings and programs: paths of files, and what it makes up. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether it is the path of a file that can be opened; "[heap]", "//anon", "/memfd:x" are none. */
bool map_name_is_file(const char *name);

/* Its length without the " (deleted)" that the kernel adds when the file has been removed. */
size_t map_name_length(const char *name);
