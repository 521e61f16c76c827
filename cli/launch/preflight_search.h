/* SPDX-License-Identifier: MIT */
/* The file that execvp(3) would execute. */
#pragma once

#include <sys/stat.h>

/*
 * 0 with *ret_path (to be freed) and *ret_status of a file that may be executed, or the negative
 * errno that exec ends with; then *ret_path is the file that it is about, or NULL.
 */
int preflight_search(const char *program, char **ret_path, struct stat *ret_status);
