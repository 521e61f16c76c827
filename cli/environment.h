/* SPDX-License-Identifier: MIT */
/* The environment of the target: profrun's own, with what lets the preload in. */
#pragma once

#define ENVIRONMENT_CONTROL "PROFRUN_ARENA"

/*
 * A copy of @base in its order with two variables changed: LD_PRELOAD is @sanitizer (NULL: none),
 * what it was, and @preload; PROFRUN_ARENA is @arena. An entry that is there already is not
 * added again, but a sanitizer runtime is moved to the front. @preload or @arena NULL leaves that
 * variable as it is. 0 or -ENOMEM; environment_free() frees *ret_environment.
 */
int environment_build(char **base, const char *preload, const char *sanitizer, const char *arena,
		      char ***ret_environment);
void environment_free(char **environment);
