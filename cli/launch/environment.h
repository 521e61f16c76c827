/* SPDX-License-Identifier: MIT */
/* The environment of the target: profrun's own, with what lets the preload in. */
#pragma once

#define ENVIRONMENT_CONTROL "PROFRUN_ARENA"

/*
 * A copy of @base in its order with two variables changed: LD_PRELOAD is what it was, and @preload
 * (which is not added again where it is there already); PROFRUN_ARENA is @arena. @preload or @arena
 * NULL leaves that variable as it is. 0 or -ENOMEM; environment_free() frees *ret_environment.
 */
int environment_build(char **base, const char *preload, const char *arena, char ***ret_environment);
void environment_free(char **environment);
