/* SPDX-License-Identifier: MIT */
/*
 * The rules of the kernel's cap_bprm_creds_from_file(): AT_SECURE is set when the effective ids
 * will differ from the real ones, and when capabilities come from the file and the real user is
 * not root.
 */

#include "cli/launch/preflight_privilege.h"

#include <endian.h>
#include <linux/capability.h>
#include <linux/xattr.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

static bool gives_capabilities(const char *path)
{
	uint32_t words[XATTR_CAPS_SZ_3 / sizeof(uint32_t)] = {0};
	ssize_t size = getxattr(path, XATTR_NAME_CAPS, words, sizeof(words));

	if (size < (ssize_t)XATTR_CAPS_SZ_1 || getuid() == 0)
		return false;
	/* An effective flag is enough; without one, what is permitted. */
	if (le32toh(words[0]) & VFS_CAP_FLAGS_EFFECTIVE)
		return true;
	return words[1] || (size >= (ssize_t)XATTR_CAPS_SZ_2 && words[3]);
}

enum preflight_privilege preflight_privilege_find(const char *path, const struct stat *status)
{
	struct statvfs mount;

	if (getuid() != geteuid() || getgid() != getegid())
		return PREFLIGHT_PRIVILEGE_OURS;
	if (statvfs(path, &mount) == 0 && (mount.f_flag & ST_NOSUID))
		return PREFLIGHT_PRIVILEGE_NONE;
	if (gives_capabilities(path))
		return PREFLIGHT_PRIVILEGE_CAPABILITIES;
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return PREFLIGHT_PRIVILEGE_NONE;
	if ((status->st_mode & S_ISUID) && status->st_uid != getuid())
		return PREFLIGHT_PRIVILEGE_USER;
	/* Without the group's x bit, S_ISGID asks for mandatory locking. */
	if ((status->st_mode & S_ISGID) && (status->st_mode & S_IXGRP) &&
	    status->st_gid != getgid())
		return PREFLIGHT_PRIVILEGE_GROUP;
	return PREFLIGHT_PRIVILEGE_NONE;
}
