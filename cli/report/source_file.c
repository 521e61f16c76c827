/* SPDX-License-Identifier: MIT */
/* The lines of a source file. */

#include "cli/report/source_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/grow.h"
#include "cli/whole.h"
#include "symbolize/util.h"

#define SIZE_LIMIT (64UL << 20)

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
	uint8_t *bytes;
	size_t size;
	int code;

	*ret_source = (struct source_file){.count = 0};
	if (fd < 0 || fstat(fd, &status) < 0)
		return -errno;
	if (!S_ISREG(status.st_mode))
		return -EINVAL;
	code = whole_read(fd, SIZE_LIMIT, &bytes, &size);
	if (code < 0)
		return code;
	ret_source->text = (char *)bytes;
	return split_lines(ret_source);
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

static bool is_of_word(char letter)
{
	return isalnum((unsigned char)letter) || letter == '_';
}

static bool has_word(const char *text, const char *word)
{
	const size_t length = strlen(word);

	for (const char *at = text; (at = strstr(at, word)); at += length) {
		if ((at == text || !is_of_word(at[-1])) && !is_of_word(at[length]))
			return true;
	}
	return false;
}

unsigned source_file_find_above(const struct source_file *source, unsigned line, unsigned reach,
				const char *word)
{
	const unsigned least = line > reach ? line - reach : 1;

	for (; *word && line >= least; line--) {
		const char *text = source_file_line(source, line);

		if (text && has_word(text, word))
			return line;
	}
	return 0;
}
