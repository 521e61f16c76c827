/* SPDX-License-Identifier: MIT */
/* Where something is written. */

#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output_path.h"
#include "cli/pattern.h"
#include "symbolize/util.h"

/* Temporary names that are tried before giving up; another profrun may take one at any time. */
#define NAMES_MAX 100

/*
 * A descriptor that no child inherits and that is none of the three standard ones, which may be
 * closed: what profrun writes must not arrive where the target believes its stdin to be.
 */
static int move_up(int fd)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int code = moved < 0 ? -errno : moved;

	close(fd);
	return code;
}

static int open_up(const char *path, int flags, mode_t mode)
{
	int fd = open(path, flags | O_CLOEXEC, mode);

	if (fd < 0)
		return -errno;
	return fd > STDERR_FILENO ? fd : move_up(fd);
}

/* -EBADF also for what only keeps the place of a standard descriptor that was closed (O_PATH). */
static int duplicate(int descriptor)
{
	int flags = fcntl(descriptor, F_GETFL), fd;

	if (flags < 0 || flags & O_PATH)
		return -EBADF;
	fd = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return fd < 0 ? -errno : fd;
}

/* "DIR/.NAME.12345.0": beside the file, so that a rename never crosses file systems. */
static char *temporary_name(const char *path, unsigned attempt)
{
	const char *name = basename(path);
	char *temporary;

	if (asprintf(&temporary, "%.*s.%.200s.%d.%u", (int)(name - path), path, name, (int)getpid(),
		     attempt) < 0)
		return NULL;
	return temporary;
}

/* The folder of @path; freed by the caller. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* A file without a name leaves nothing behind whatever happens; /proc is needed to name it. */
static int open_nameless(const char *path, mode_t mode)
{
	AUTO_FREE char *folder = folder_of(path);

	if (!folder)
		return -ENOMEM;
	if (access("/proc/self/fd", X_OK) < 0)
		return -EOPNOTSUPP;
	return open_up(folder, O_TMPFILE | O_WRONLY, mode);
}

static int open_named(struct output *output, mode_t mode)
{
	for (unsigned attempt = 0; attempt < NAMES_MAX; attempt++) {
		AUTO_FREE char *temporary = temporary_name(output->path, attempt);
		int fd;

		if (!temporary)
			return -ENOMEM;
		fd = open_up(temporary, O_WRONLY | O_CREAT | O_EXCL, mode);
		if (fd >= 0)
			output->temporary = steal_ptr(temporary);
		if (fd != -EEXIST)
			return fd;
	}
	return -EEXIST;
}

/* A replaced file keeps its mode, and its owner where that is permitted. */
static int keep_attributes(int fd, const char *path)
{
	struct stat old;

	if (stat(path, &old) < 0)
		return 0;
	if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0)
		return -errno;
	if (fchown(fd, old.st_uid, old.st_gid) < 0 && fchown(fd, (uid_t)-1, old.st_gid) < 0)
		return fchmod(fd, old.st_mode & 0777) < 0 ? -errno : 0;
	return fchmod(fd, old.st_mode & 0777) < 0 ? -errno : 0;
}

static int open_temporary(struct output *output, mode_t mode)
{
	int fd = open_nameless(output->path, mode), code;

	if (fd == -EOPNOTSUPP || fd == -EISDIR || fd == -EINVAL)
		fd = open_named(output, mode);
	if (fd < 0)
		return fd;
	code = keep_attributes(fd, output->path);
	if (code < 0) {
		close(fd);
		return code;
	}
	return fd;
}

/* The descriptor that is written for @name. */
static int open_name(struct output *output, const char *name, mode_t mode)
{
	AUTO_FREE char *resolved = NULL;
	struct output_path path;
	int code;

	output->shown = strdup(name);
	code = output->shown ? output_path_resolve(name, &path) : -ENOMEM;
	if (code < 0)
		return code;
	resolved = path.path;
	if (path.descriptor >= 0)
		return duplicate(path.descriptor);
	if (path.in_place)
		return open_up(path.path, O_WRONLY | O_NOCTTY | O_APPEND, 0);
	output->path = steal_ptr(resolved);
	return open_temporary(output, mode);
}

/* A closed stderr is no reason not to run: the report then goes nowhere. */
static int open_fallback(int fallback)
{
	int fd = duplicate(fallback);

	return fd == -EBADF && fallback == STDERR_FILENO ? open_up("/dev/null", O_WRONLY, 0) : fd;
}

/* Makes the stream of @fd; @output is moved to *ret_output, or done with. */
static int open_stream(struct output *output, int fd, struct output *ret_output, struct error *err)
{
	if (fd >= 0) {
		output->stream = fdopen(fd, "w");
		if (output->stream) {
			*ret_output = *output;
			return 0;
		}
		close(fd);
		fd = -ENOMEM;
	}
	if (output->shown)
		error_set(err, fd, "cannot write '%.150s': ", output->shown);
	else
		error_set(err, fd, "cannot write the report: ");
	output_done(output);
	return fd;
}

int output_open_file(const char *name, mode_t mode, struct output *ret_output, struct error *err)
{
	struct output output = {.stream = NULL};

	*ret_output = output;
	return open_stream(&output, open_name(&output, name, mode), ret_output, err);
}

int output_open(const char *pattern, int fallback, mode_t mode, struct output *ret_output,
		struct error *err)
{
	struct output output = {.stream = NULL};
	AUTO_FREE char *name = NULL;
	int code;

	*ret_output = output;
	if (!pattern)
		return open_stream(&output, open_fallback(fallback), ret_output, err);
	code = pattern_expand(pattern, &name, err);
	return code < 0 ? code : output_open_file(name, mode, ret_output, err);
}

/* Whether both name one entry of one folder, there or not yet; symbolic links are followed. */
static bool same_path(const char *a, const char *b)
{
	AUTO_FREE char *folder_a = folder_of(a), *folder_b = folder_of(b);
	struct stat of_a, of_b;

	if (strcmp(basename(a), basename(b)) != 0)
		return false;
	return folder_a && folder_b && stat(folder_a, &of_a) == 0 && stat(folder_b, &of_b) == 0 &&
	       of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* Gives the nameless file the temporary name; a new file gets its own at once. */
static int name_file(struct output *output)
{
	char link[32];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fileno(output->stream));
	if (linkat(AT_FDCWD, link, AT_FDCWD, output->path, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	for (unsigned attempt = 0; attempt < NAMES_MAX && errno == EEXIST; attempt++) {
		AUTO_FREE char *temporary = temporary_name(output->path, attempt);

		if (!temporary)
			return -ENOMEM;
		if (linkat(AT_FDCWD, link, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0) {
			output->temporary = steal_ptr(temporary);
			return 0;
		}
	}
	return -errno;
}

static int publish(struct output *output)
{
	if (!output->temporary) {
		int code = name_file(output);

		if (code < 0 || !output->temporary)
			return code;
	}
	if (rename(output->temporary, output->path) < 0)
		return -errno;
	free(output->temporary);
	output->temporary = NULL;
	return 0;
}

/* A failure in the middle is remembered without its reason: one more byte meets it again. */
static int write_out(FILE *stream)
{
	errno = 0;
	if (fflush(stream) == 0 && !ferror(stream))
		return 0;
	if (errno == 0) {
		putc('\n', stream);
		fflush(stream);
	}
	return errno ? -errno : -EIO;
}

int output_commit(struct output *output, struct error *err)
{
	int code = write_out(output->stream);

	if (code == -EPIPE && !output->path)
		return 0;
	if (code == 0 && output->path)
		code = publish(output);
	if (code == 0)
		return 0;
	if (!output->shown)
		return error_set(err, code, "cannot write the report: ");
	return error_set(err, code, "cannot write '%.150s': ", output->shown);
}

/* Not so devices: two may well go to /dev/null. */
static bool same_stream(FILE *a, FILE *b)
{
	struct stat of_a, of_b;

	return fstat(fileno(a), &of_a) == 0 && fstat(fileno(b), &of_b) == 0 &&
	       !S_ISCHR(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

bool output_same_file(const struct output *a, const struct output *b)
{
	if (!a->stream || !b->stream)
		return false;
	if (a->path && b->path)
		return same_path(a->path, b->path);
	return !a->path && !b->path && same_stream(a->stream, b->stream);
}

void output_done(struct output *output)
{
	if (output->temporary)
		unlink(output->temporary);
	if (output->stream)
		fclose(output->stream);
	free(output->temporary);
	free(output->path);
	free(output->shown);
	*output = (struct output){.stream = NULL};
}
