/* SPDX-License-Identifier: MIT */
/* What the name of an output stands for. */
#pragma once

#include <stdbool.h>

struct output_path {
	int descriptor; /* the open descriptor that the name means (-, /dev/stdout, /dev/fd/3), or
			   -1 */
	bool in_place;	/* something that exists and is no regular file */
	char *path;	/* with the symbolic links of its last part followed; NULL: a descriptor */
};

/* 0 or a negative errno; .path is freed by the caller. */
int output_path_resolve(const char *name, struct output_path *ret_path);
