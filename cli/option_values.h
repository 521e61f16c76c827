/* SPDX-License-Identifier: MIT */
/*
 * The kinds of values that options take. Each is an `apply` of struct option: it stores what it
 * understood, or says what would have been right.
 */
#pragma once

#include "cli/options.h"

int option_set(const struct option *option, const char *value, struct options *options,
	       struct error *err);
int option_clear(const struct option *option, const char *value, struct options *options,
		 struct error *err);
int option_string(const struct option *option, const char *value, struct options *options,
		  struct error *err);

/* A whole decimal number from .min to .max. */
int option_number(const struct option *option, const char *value, struct options *options,
		  struct error *err);

/* The same, and C's 0x and 0 prefixes are understood, as with profil(3)'s scale in source code. */
int option_scale(const struct option *option, const char *value, struct options *options,
		 struct error *err);

int option_seconds(const struct option *option, const char *value, struct options *options,
		   struct error *err);
int option_percent(const struct option *option, const char *value, struct options *options,
		   struct error *err);

/* A real-time signal: 36, RTMIN+2, SIGRTMAX-2. */
int option_signal(const struct option *option, const char *value, struct options *options,
		  struct error *err);

int option_color(const struct option *option, const char *value, struct options *options,
		 struct error *err);
int option_regex(const struct option *option, const char *value, struct options *options,
		 struct error *err);
int option_ticks(const struct option *option, const char *value, struct options *options,
		 struct error *err);
int option_keys(const struct option *option, const char *value, struct options *options,
		struct error *err);
/* A column's name, "-" before it turns the order around. */
int option_sort(const struct option *option, const char *value, struct options *options,
		struct error *err);
int option_format(const struct option *option, const char *value, struct options *options,
		  struct error *err);
int option_completion(const struct option *option, const char *value, struct options *options,
		      struct error *err);

/* The names of --color's values. */
const char *option_color_name(size_t index);
