/* SPDX-License-Identifier: MIT */
/*
 * The kernel leads to the file itself by /proc/PID/exe and, with privileges, /proc/PID/map_files.
 * Everything else is found by its name, first as the process sees it, and believed when its
 * build-id is the one in memory; without build-ids, when it is the inode that was mapped.
 */

#include "cli/collect/seen_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include "cli/collect/map_name.h"
#include "symbolize/util.h"

/* Kept open at once, in all profiles; and the part of the limit that they may take. */
#define FILES_MAX   512
#define LIMIT_SHARE 2

/* An ELF file's header, program headers and notes are in its first page. */
#define HEAD_SIZE 4096

struct seen_file {
	int fd;
	struct stat status; /* when it was opened */
};

static unsigned open_count;

static bool may_open(void)
{
	struct rlimit limit;

	return open_count < FILES_MAX && getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	       open_count < limit.rlim_cur / LIMIT_SHARE;
}

static bool same_id(const struct sym_build_id *a, const struct sym_build_id *b)
{
	return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), size = strlen(end);

	return length >= size && strcmp(text + length - size, end) == 0;
}

/* A process may have become another program since it was seen. */
static bool executes(pid_t pid, const char *path)
{
	char link[64], target[PATH_MAX];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	length = readlink(link, target, sizeof(target) - 1);
	if (length < 0)
		return false;
	target[length] = '\0';
	target[map_name_length(target)] = '\0';
	return ends_with(target, path);
}

static bool is_mapped_inode(int fd, const struct mapping *mapping)
{
	struct stat status;

	if (mapping->deleted || fstat(fd, &status) < 0)
		return false;
	/* Filesystems that are made of others tell other numbers here and there. */
	return status.st_ino == mapping->inode ||
	       status.st_dev != makedev(mapping->major, mapping->minor);
}

static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Ways to a file. What an exact one finds needs no proof where there are no build-ids. */

static int open_executable(const struct sighting *sighting)
{
	char path[64];

	if (!sighting->is_main ||
	    (sighting->build_id.size == 0 && !executes(sighting->pid, sighting->path)))
		return -ENOENT;
	snprintf(path, sizeof(path), "/proc/%d/exe", (int)sighting->pid);
	return open_file(path);
}

static int open_mapped(const struct sighting *sighting)
{
	const struct mapping *mapping = sighting->mapping;
	char path[96];

	if (!mapping)
		return -ENOENT;
	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)sighting->pid,
		 mapping->start, mapping->end);
	return open_file(path);
}

static int open_under_root(const struct sighting *sighting)
{
	AUTO_FREE char *path = NULL;

	if (asprintf(&path, "/proc/%d/root%s", (int)sighting->pid, sighting->path) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	return open_file(path);
}

static int open_by_name(const struct sighting *sighting)
{
	return open_file(sighting->path);
}

static const struct {
	int (*open)(const struct sighting *sighting);
	bool exact;
} ways[] = {
	{open_executable, true},
	{open_under_root, false},
	{open_mapped, true},
	{open_by_name, false},
};

static bool is_it(int fd, const struct sighting *sighting, bool exact)
{
	struct sym_build_id id;

	if (sighting->build_id.size > 0)
		return sym_file_build_id(fd, &id) == 0 && same_id(&id, &sighting->build_id);
	return exact || !sighting->mapping || is_mapped_inode(fd, sighting->mapping);
}

static int try_ways(const struct sighting *sighting)
{
	int result = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		int fd = ways[i].open(sighting);

		/* Of profrun's own limit: the file may well be there. */
		if (fd == -EMFILE || fd == -ENFILE)
			return -EMFILE;
		if (fd < 0)
			continue;
		if (is_it(fd, sighting, ways[i].exact))
			return fd;
		close(fd);
		result = -ESTALE;
	}
	return result;
}

/* Where the process still tells its mappings they decide, else what it left behind. */
static int try_with_mapping(const struct sighting *sighting, int result)
{
	struct sighting with_mapping = *sighting;
	struct maps maps = {.count = 0};

	if (sighting->address == 0 || maps_load(sighting->pid, &maps) < 0)
		return sighting->build_id.size > 0 ? result : try_ways(sighting);
	with_mapping.mapping = maps_find(&maps, sighting->address);
	if (with_mapping.mapping && with_mapping.mapping->path)
		result = try_ways(&with_mapping);
	else if (sighting->build_id.size == 0)
		result = try_ways(sighting);
	maps_done(&maps);
	return result;
}

int seen_file_open(const struct sighting *sighting, struct seen_file **ret_file)
{
	struct seen_file *file;
	int fd;

	if (!may_open())
		return -EMFILE;
	fd = sighting->build_id.size > 0 || sighting->mapping ? try_ways(sighting) : -ENOENT;
	if (fd < 0 && !sighting->mapping)
		fd = try_with_mapping(sighting, fd);
	if (fd < 0)
		return fd;
	file = calloc(1, sizeof(*file));
	if (!file || fstat(fd, &file->status) < 0) {
		close(fd);
		free(file);
		return -ENOMEM;
	}
	file->fd = fd;
	open_count++;
	*ret_file = file;
	return 0;
}

void seen_file_close(struct seen_file *file)
{
	if (!file)
		return;
	open_count--;
	close(file->fd);
	free(file);
}

int seen_file_fd(const struct seen_file *file)
{
	return file->fd;
}

bool seen_file_has_changed(const struct seen_file *file)
{
	struct stat now;

	return fstat(file->fd, &now) < 0 || now.st_size != file->status.st_size ||
	       now.st_mtim.tv_sec != file->status.st_mtim.tv_sec ||
	       now.st_mtim.tv_nsec != file->status.st_mtim.tv_nsec;
}

int seen_file_in_memory(pid_t pid, const struct mapping *mapping, uint64_t *ret_start,
			struct sym_build_id *ret_id)
{
	uint8_t bytes[HEAD_SIZE];
	struct iovec local = {bytes, sizeof(bytes)};
	struct iovec remote = {(void *)(uintptr_t)mapping->head, sizeof(bytes)};

	if (mapping->head == 0)
		return 0;
	if (process_vm_readv(pid, &local, 1, &remote, 1, 0) != (ssize_t)sizeof(bytes))
		return -errno;
	return sym_head_address(bytes, sizeof(bytes), mapping->offset, ret_start, ret_id);
}
