/* SPDX-License-Identifier: MIT */
/* File names with parts that are filled in: %p, %h, %q{VAR}, %%. */
#pragma once

#include "symbolize/error.h"

/*
 * %p is profrun's pid, %h the host's name, %q{VAR} the environment's variable VAR. -EINVAL with
 * *err for any other %, and for a variable that is not set. *ret_name is freed by the caller.
 */
int pattern_expand(const char *pattern, char **ret_name, struct error *err);
