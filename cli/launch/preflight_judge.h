/* SPDX-License-Identifier: MIT */
/* Programs that exec takes, and whether the preload can enter them. */
#pragma once

#include <sys/stat.h>

#include "cli/launch/preflight.h"
#include "cli/launch/preflight_elf.h"

/* @subject is how the reason calls the program at @path: "'x'", "'s' is run by 'x', which". */
void preflight_judge_elf(struct preflight *result, const char *subject, const char *path,
			 const struct stat *status, const struct preflight_elf *elf);
