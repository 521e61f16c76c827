/* SPDX-License-Identifier: MIT */
/*
 * The files that profrun keeps open, as another process of its user finds them: what a program runs
 * may have been removed or replaced since, or lie in a root that is not ours.
 */
#pragma once

#include <sys/types.h>

/*
 * Opens the file that the process @pid has open and that was opened as @path. The descriptor is the
 * caller's; -ENOENT: it has none.
 */
int kept_file_open(pid_t pid, const char *path);
