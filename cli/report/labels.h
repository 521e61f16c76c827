/* SPDX-License-Identifier: MIT */
/* What rows and their like call what has ticks: processes, threads, objects, functions. */
#pragma once

#include <stdbool.h>

#include "cli/options.h"
#include "cli/profile/profile.h"
#include "cli/report/shares.h"

/* The label of the process at @index, or of the thread of number @number, as string of @strings;
 * NULL when memory ran out. */
const char *label_process(const struct profile *profile, uint32_t index,
			  struct string_pool *strings);
const char *label_thread(const struct profile *profile, uint32_t number,
			 struct string_pool *strings);

/* The object and the function of a share; those of @strings are made up where there is no name. */
const char *label_object(const struct profile_object *object, const struct share *share);
const char *label_function(const struct profile_object *object, const struct share *share,
			   struct string_pool *strings);

/* Whether --focus lets it through. */
bool label_in_focus(const struct options *options, const char *function, const char *object);
