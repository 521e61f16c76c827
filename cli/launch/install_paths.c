/* SPDX-License-Identifier: MIT */
/*
 * profrun is found by /proc/self/exe and the preload from there, so that a build tree, a moved
 * prefix and a DESTDIR each use their own. Only then comes the configured prefix.
 */

#include "cli/launch/install_paths.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "libsample/arena.h"
#include "symbolize/util.h"

#define ENTRANCE PROFRUN_MODULE_ENTRANCE

/* Each dynamic linker finds what is for it. */
#define IN_ENTRANCE "/" ENTRANCE "/$LIB/" ARENA_MODULE

/* What the dynamic linker splits LD_PRELOAD at, and what it expands there. */
#define NOT_IN_PRELOAD ": \t\n$"

/* Relative to the folder of profrun, unless absolute; in the order of search. */
static const char *const preload_dirs[] = {
	"../libsample",
	PROFRUN_MODULE_DIR_FROM_BINDIR,
	PROFRUN_MODULE_DIR,
};

static char private_dir[PATH_MAX];

static int find_own_dir(char dir[PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", dir, PATH_MAX - 1);
	char *slash;

	if (length < 0)
		return -errno;
	dir[length] = '\0';
	slash = strrchr(dir, '/');
	if (!slash)
		return -ENOENT;
	slash[1] = '\0';
	return 0;
}

/* The folder, without links, whose entrance leads to the module; NULL: not this one. */
static char *find_in(const char *own_dir, const char *dir)
{
	AUTO_FREE char *folder = NULL, *module = NULL;

	if (asprintf(&folder, "%s%s", dir[0] == '/' ? "" : own_dir, dir) < 0) {
		folder = NULL;
		return NULL;
	}
	if (asprintf(&module, "%s/" ENTRANCE "/" ARENA_MODULE, folder) < 0) {
		module = NULL;
		return NULL;
	}
	return access(module, F_OK) == 0 ? realpath(folder, NULL) : NULL;
}

static char *make_entry(const char *folder)
{
	char *entry;

	return asprintf(&entry, "%s" IN_ENTRANCE, folder) < 0 ? NULL : entry;
}

/* A link in a folder of its own, where nobody else can put something; NULL: not in @parent. */
static char *link_in(const char *parent, const char *folder)
{
	static const char template[] = "/profrun-XXXXXX";
	char link[sizeof(private_dir) + sizeof(ENTRANCE)];
	AUTO_FREE char *target = NULL;

	if (!parent || parent[0] != '/' || strpbrk(parent, NOT_IN_PRELOAD) ||
	    strlen(parent) + sizeof(template) > sizeof(private_dir))
		return NULL;
	if (asprintf(&target, "%s/" ENTRANCE, folder) < 0) {
		target = NULL;
		return NULL;
	}
	snprintf(private_dir, sizeof(private_dir), "%s%s", parent, template);
	if (!mkdtemp(private_dir)) {
		private_dir[0] = '\0';
		return NULL;
	}
	snprintf(link, sizeof(link), "%s/" ENTRANCE, private_dir);
	/* A target that becomes another user has to pass, too. */
	if (chmod(private_dir, 0711) == 0 && symlink(target, link) == 0)
		return make_entry(private_dir);
	install_cleanup();
	return NULL;
}

static char *make_private_link(const char *folder)
{
	const char *parents[] = {getenv("TMPDIR"), "/tmp", getenv("XDG_RUNTIME_DIR")};
	char *link = NULL;

	for (size_t i = 0; !link && i < ARRAY_SIZE(parents); i++)
		link = link_in(parents[i], folder);
	return link;
}

static int make_fit(const char *folder, char **ret_path, struct error *err)
{
	char *path =
		strpbrk(folder, NOT_IN_PRELOAD) ? make_private_link(folder) : make_entry(folder);

	if (!path)
		return error_set(err, -EACCES,
				 "'%s' cannot stand in LD_PRELOAD, and no folder for a link to it "
				 "can be made",
				 folder);
	*ret_path = path;
	return 0;
}

int install_find_preload(char **ret_path, struct error *err)
{
	char own_dir[PATH_MAX];
	int code;

	code = find_own_dir(own_dir);
	if (code < 0)
		return error_set(err, code,
				 "cannot find profrun by /proc/self/exe (is /proc mounted?): ");
	for (size_t i = 0; i < ARRAY_SIZE(preload_dirs); i++) {
		AUTO_FREE char *folder = find_in(own_dir, preload_dirs[i]);

		if (folder)
			return make_fit(folder, ret_path, err);
	}
	return error_set(err, -ENOENT,
			 "cannot find " ARENA_MODULE " beside %.80s or in %s; install profrun "
			 "as a whole, or call it where it is",
			 own_dir, PROFRUN_MODULE_DIR);
}

void install_cleanup(void)
{
	char link[sizeof(private_dir) + sizeof(ENTRANCE)];

	if (!private_dir[0])
		return;
	snprintf(link, sizeof(link), "%s/" ENTRANCE, private_dir);
	unlink(link);
	rmdir(private_dir);
	private_dir[0] = '\0';
}
