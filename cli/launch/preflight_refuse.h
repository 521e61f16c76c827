/* SPDX-License-Identifier: MIT */
/* Programs that exec refuses. */
#pragma once

#include "cli/launch/preflight.h"

/* Says why exec will fail with the negative errno @code; @path is NULL when no file was found. */
void preflight_refuse(struct preflight *result, const char *program, const char *path, int code);
