/* SPDX-License-Identifier: MIT */
/*
 * Reads a profile in pprof's format: profrun's own, and other tools' as far as they hold CPU time.
 * What is read may be anything: bounded memory, bounded time, and one line that says what is wrong.
 */
#pragma once

#include <stddef.h>

#include "cli/profile/profile.h"
#include "symbolize/error.h"

/* Reads the file at @path ("-": stdin). A negative errno with *err. */
int pprof_read_file(const char *path, struct profile **ret_profile, struct error *err);

/* The same of @size bytes, gzip'ed or not; *err does not name them. */
int pprof_read(const void *bytes, size_t size, struct profile **ret_profile, struct error *err);
