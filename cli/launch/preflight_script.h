/* SPDX-License-Identifier: MIT */
/* The first line of a script. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* As much of a file as the kernel looks at. */
#define PREFLIGHT_HEAD 256

struct preflight_script {
	char interpreter[PREFLIGHT_HEAD]; /* what the kernel executes */
	char searched[PREFLIGHT_HEAD];	  /* "X" of "#!/usr/bin/env X", or "" */
};

/* Is this the beginning of a script ("#!")? */
bool preflight_script_parse(const char *head, size_t length, struct preflight_script *ret_script);
