/* SPDX-License-Identifier: MIT */
/*
 * The kernel takes the first word as the program and the rest of the line as one argument.
 * env(1), the usual first word, looks for its own in PATH.
 */

#include "cli/launch/preflight_script.h"

#include <string.h>

#define BLANKS " \t"

/* Copies the word at @text (of @length bytes) and returns what follows it and its blanks. */
static const char *take_word(const char *text, char word[PREFLIGHT_HEAD])
{
	size_t length = strcspn(text, BLANKS);

	memcpy(word, text, length);
	word[length] = '\0';
	text += length;
	return text + strspn(text, BLANKS);
}

static bool is_env(const char *path)
{
	return strcmp(basename(path), "env") == 0;
}

/* Options of env that take the next word as their value. */
static bool takes_value(const char *option)
{
	return strcmp(option, "-u") == 0 || strcmp(option, "-C") == 0;
}

/* The program in "-S -u NAME VARIABLE=value program argument". */
static void find_searched(const char *text, char searched[PREFLIGHT_HEAD])
{
	char word[PREFLIGHT_HEAD];

	searched[0] = '\0';
	if (strncmp(text, "-S", 2) == 0)
		text += 2 + strspn(text + 2, BLANKS);
	else if (text[0] == '-' || strpbrk(text, BLANKS "="))
		return;
	while (*text) {
		text = take_word(text, word);
		if (takes_value(word))
			text = take_word(text, word);
		else if (word[0] != '-' && !strchr(word, '=')) {
			strcpy(searched, word);
			return;
		}
	}
}

bool preflight_script_parse(const char *head, size_t length, struct preflight_script *ret_script)
{
	char line[PREFLIGHT_HEAD + 1];
	const char *rest;
	size_t end;

	if (length < 2 || head[0] != '#' || head[1] != '!')
		return false;
	if (length > PREFLIGHT_HEAD)
		length = PREFLIGHT_HEAD;
	memcpy(line, head + 2, length - 2);
	line[length - 2] = '\0';
	end = strcspn(line, "\n");
	while (end > 0 && strchr(BLANKS, line[end - 1]))
		end--;
	line[end] = '\0';
	rest = take_word(line + strspn(line, BLANKS), ret_script->interpreter);
	ret_script->searched[0] = '\0';
	if (is_env(ret_script->interpreter))
		find_searched(rest, ret_script->searched);
	return true;
}
