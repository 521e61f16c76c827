/* SPDX-License-Identifier: MIT */
/* The lines of a source file. */

#include "cli/report/source_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/grow.h"
#include "symbolize/util.h"

#define SIZE_LIMIT (64UL << 20)

static int read_text(int fd, size_t size, char **ret_text)
{
	AUTO_FREE char *text = malloc(size + 1);
	size_t done = 0;

	if (!text)
		return -ENOMEM;
	while (done < size) {
		ssize_t got = read(fd, text + done, size - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	text[done] = '\0';
	*ret_text = steal_ptr(text);
	return 0;
}

static int split_lines(struct source_file *source)
{
	size_t room = 0;

	for (char *at = source->text; *at;) {
		size_t length = strcspn(at, "\n");
		bool last = !at[length];

		if (!grow(&source->line, source->count + 1, &room))
			return -ENOMEM;
		source->line[source->count++] = at;
		at[length] = '\0';
		if (length && at[length - 1] == '\r')
			at[length - 1] = '\0';
		at += length + !last;
	}
	return 0;
}

int source_file_read(const char *path, struct source_file *ret_source)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	int code;

	*ret_source = (struct source_file){.count = 0};
	if (fd < 0 || fstat(fd, &status) < 0)
		return -errno;
	if (!S_ISREG(status.st_mode))
		return -EINVAL;
	if ((size_t)status.st_size > SIZE_LIMIT)
		return -EFBIG;
	code = read_text(fd, (size_t)status.st_size, &ret_source->text);
	return code < 0 ? code : split_lines(ret_source);
}

void source_file_done(struct source_file *source)
{
	free(source->line);
	free(source->text);
	*source = (struct source_file){.count = 0};
}

const char *source_file_line(const struct source_file *source, unsigned number)
{
	return number && number <= source->count ? source->line[number - 1] : NULL;
}
