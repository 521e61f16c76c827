/* SPDX-License-Identifier: MIT */
/* The map is what a program wrote that profrun does not trust, in a directory open to all. */

#include "cli/collect/perf_map.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "symbolize/util.h"

#define LINE_MAX_BYTES 4096 /* of a line that is longer the rest of the name is cut */
#define MAP_MAX	       (256u << 20)
#define SECONDS_MAX    2
#define LINES_PER_LOOK 4096 /* at the clock */

#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)

/* The number by which the process @pid knows itself: the last of its namespaces. */
static long own_number(pid_t pid)
{
	char path[64], line[256];
	long number = pid;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return number;
	while (fgets(line, sizeof(line), file)) {
		if (strncmp(line, "NSpid:", 6) != 0)
			continue;
		number = atol(strrchr(line, '\t') + 1);
		break;
	}
	fclose(file);
	return number;
}

/* In the root directory of the process; links in it do not lead out of it. */
static int open_inside(pid_t pid)
{
	struct open_how how = {
		.flags = OPEN_FLAGS,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	AUTO_CLOSE int root = -1;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/root", (int)pid);
	root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -errno;
	snprintf(path, sizeof(path), "tmp/perf-%ld.map", own_number(pid));
	fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
	return fd < 0 ? -errno : fd;
}

static int open_outside(pid_t pid)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)pid);
	fd = open(path, OPEN_FLAGS);
	return fd < 0 ? -errno : fd;
}

/* The user of a process; of one that has ended, most likely profrun's. */
static uid_t user_of(pid_t pid)
{
	struct stat status;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	return stat(path, &status) == 0 ? status.st_uid : geteuid();
}

int perf_map_open(pid_t pid, time_t since)
{
	struct stat status;
	int fd = open_inside(pid);

	if (fd < 0)
		fd = open_outside(pid);
	if (fd < 0)
		return fd;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == user_of(pid) &&
	    status.st_mtime >= since)
		return fd;
	close(fd);
	return -EPERM;
}

/* The index of the first name at @pc or behind. */
static size_t first_at(const struct perf_map_name *names, size_t count, uint64_t pc)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (names[middle].pc < pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool take_number(char **at, uint64_t *ret_number)
{
	char *end;

	/* No sign, no blank: strtoull() alone would take them. */
	if (!strchr("0123456789abcdefABCDEF", **at) || **at == '\0')
		return false;
	errno = 0;
	*ret_number = strtoull(*at, &end, 16);
	if (errno != 0 || *end != ' ')
		return false;
	*at = end + 1;
	return true;
}

/* Whether @line is one; the name is what is left of it. */
static bool parse(char *line, uint64_t *ret_start, uint64_t *ret_size, const char **ret_name)
{
	char *at = line;

	at[strcspn(at, "\n")] = '\0';
	if (!take_number(&at, ret_start) || !take_number(&at, ret_size) || !*at ||
	    *ret_size > UINT64_MAX - *ret_start)
		return false;
	*ret_name = at;
	return true;
}

static int take_line(char *line, struct perf_map_name *names, size_t count,
		     struct string_pool *pool, unsigned *bad)
{
	uint64_t start, size;
	const char *name, *kept = NULL;

	if (!parse(line, &start, &size, &name)) {
		++*bad;
		return 0;
	}
	for (size_t i = first_at(names, count, start); i < count; i++) {
		if (names[i].pc - start >= size)
			break;
		if (!kept)
			kept = string_pool_add(pool, name);
		if (!kept)
			return -ENOMEM;
		names[i].name = kept;
	}
	return 0;
}

static bool is_late(time_t start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > start + SECONDS_MAX;
}

/* Leaves the rest of a line that was too long. */
static void skip_line(FILE *stream, size_t *bytes)
{
	int c;

	while ((c = getc(stream)) != EOF && c != '\n' && *bytes < MAP_MAX)
		++*bytes;
}

int perf_map_read(FILE *stream, struct perf_map_name *names, size_t count, struct string_pool *pool,
		  unsigned *ret_bad)
{
	char line[LINE_MAX_BYTES];
	struct timespec start;
	unsigned bad = 0;
	size_t bytes = 0;
	int r = 0;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (size_t i = 1; r == 0 && bytes < MAP_MAX && fgets(line, sizeof(line), stream); i++) {
		size_t length = strlen(line);

		bytes += length + 1;
		if (length == sizeof(line) - 1 && line[length - 1] != '\n')
			skip_line(stream, &bytes);
		r = take_line(line, names, count, pool, &bad);
		if (i % LINES_PER_LOOK == 0 && is_late(start.tv_sec))
			break;
	}
	*ret_bad = bad;
	return r;
}
