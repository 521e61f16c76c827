/* SPDX-License-Identifier: MIT */
/* How the parts of preflight put their verdicts into words. */
#pragma once

#include "cli/launch/preflight.h"

/* Longer names are cut in messages. */
#define PREFLIGHT_NAME_SHOWN 100

/* The verdict and its reason. */
void preflight_judge(struct preflight *result, enum preflight_verdict verdict, const char *format,
		     ...) __attribute__((format(printf, 3, 4)));
/* A way out. */
void preflight_hint(struct preflight *result, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Of a long path the end, which tells more than its beginning. */
const char *preflight_shown(const char *path);
