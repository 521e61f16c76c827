/* SPDX-License-Identifier: MIT */
/* Splits a line into words as a shell does. */

#include "cli/words.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/util.h"

static const char blanks[] = " \t\n";

/* Appends one quoted stretch to @out and moves *line behind its closing quote. */
static int take_quoted(const char **line, char **out, struct error *err)
{
	const char *at = *line;
	char quote = *at++;

	for (; *at != quote; at++) {
		if (quote == '"' && *at == '\\' && (at[1] == '"' || at[1] == '\\'))
			at++;
		if (!*at)
			return error_set(err, -EINVAL, "a quote (%c) is not closed", quote);
		*(*out)++ = *at;
	}
	*line = at + 1;
	return 0;
}

/* Copies the word at *line to *out, NUL-terminated, and moves both behind it. */
static int take_word(const char **line, char **out, struct error *err)
{
	while (**line && !strchr(blanks, **line)) {
		int code;

		if (**line == '\'' || **line == '"') {
			code = take_quoted(line, out, err);
			if (code < 0)
				return code;
			continue;
		}
		if (**line == '\\' && !*++*line)
			return error_set(err, -EINVAL, "a backslash is the last character");
		*(*out)++ = *(*line)++;
	}
	*(*out)++ = '\0';
	return 0;
}

int words_split(const char *line, char ***ret_words, struct error *err)
{
	size_t length = strlen(line), count = 0;
	/* A word takes a character and a blank at least; the text stands behind the pointers. */
	size_t pointers = (length / 2 + 2) * sizeof(char *);
	AUTO_FREE char **words = malloc(pointers + length + 1);
	char *out = (char *)words + pointers;

	if (!words)
		return error_set(err, -ENOMEM, "out of memory");
	for (;;) {
		int code;

		line += strspn(line, blanks);
		if (!*line)
			break;
		words[count++] = out;
		code = take_word(&line, &out, err);
		if (code < 0)
			return code;
	}
	words[count] = NULL;
	*ret_words = steal_ptr(words);
	return 0;
}

void words_free(char **words)
{
	free(words);
}
