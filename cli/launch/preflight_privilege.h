/* SPDX-License-Identifier: MIT */
/* Does executing a file give it privileges? Then the dynamic linker preloads nothing. */
#pragma once

#include <sys/stat.h>

enum preflight_privilege {
	PREFLIGHT_PRIVILEGE_NONE,
	PREFLIGHT_PRIVILEGE_USER,	  /* set-user-id, and that is another user */
	PREFLIGHT_PRIVILEGE_GROUP,	  /* the same for the group */
	PREFLIGHT_PRIVILEGE_CAPABILITIES, /* file capabilities */
	PREFLIGHT_PRIVILEGE_OURS,	  /* profrun's own real and effective ids differ */
};

enum preflight_privilege preflight_privilege_find(const char *path, const struct stat *status);
