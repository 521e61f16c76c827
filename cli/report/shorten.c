/* SPDX-License-Identifier: MIT */
/* Long names of C++ and Rust made short for a terminal. */

#include "cli/report/shorten.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const char anonymous[] = "(anonymous namespace)";

/* Length of an operator's sign at @at, behind the word "operator", 0 where there is none. */
static size_t operator_length(const char *name, const char *at)
{
	static const char *const signs[] = {"<=>", "<<=", ">>=", "->*", "<<", ">>",
					    "<=",  ">=",  "->",	 "()",	"<",  ">"};
	static const char word[] = "operator";
	size_t length = strlen(word);

	if ((size_t)(at - name) < length || memcmp(at - length, word, length) != 0)
		return 0;
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (strncmp(at, signs[i], strlen(signs[i])) == 0)
			return strlen(signs[i]);
	}
	return 0;
}

/* The bracket that closes the one at @open, or NULL. */
static const char *find_close(const char *name, const char *open)
{
	size_t depth = 0;

	for (const char *at = open; *at; at++) {
		size_t sign = operator_length(name, at);

		if (sign) {
			at += sign - 1;
			continue;
		}
		if (at[0] == '-' && at[1] == '>') {
			at++;
			continue;
		}
		if (*at == '<' || *at == '(')
			depth++;
		if ((*at == '>' || *at == ')') && --depth == 0)
			return at;
	}
	return NULL;
}

/* Behind what is at @at: an operator's sign, an arrow, brackets with all in them, or a character.
 * NULL: a bracket that nothing closes, or that closes nothing. */
static const char *step_over(const char *name, const char *at)
{
	size_t sign = operator_length(name, at);

	if (sign)
		return at + sign;
	if (at[0] == '-' && at[1] == '>')
		return at + 2;
	if (*at == '>' || *at == ')')
		return NULL;
	if (*at == '<' || *at == '(')
		at = find_close(name, at);
	return at ? at + 1 : NULL;
}

/* Whether the outermost brackets of @name match, so that it can be shortened. */
static bool is_balanced(const char *name)
{
	const char *at = name;

	while (at && *at)
		at = step_over(name, at);
	return at;
}

void shorten_name(char *name, const char *mark)
{
	char *at = name;

	if (!is_balanced(name))
		return;
	while (*at) {
		size_t keep = operator_length(name, at), inside;
		char *close;

		if (!keep && at[0] == '-' && at[1] == '>')
			keep = 2;
		if (!keep && strncmp(at, anonymous, strlen(anonymous)) == 0)
			keep = strlen(anonymous);
		/* What an impl or a lambda is of stands in brackets at a name's start. */
		if (!keep && ((*at != '<' && *at != '(') || at == name))
			keep = 1;
		if (keep) {
			at += keep;
			continue;
		}
		close = (char *)find_close(name, at);
		inside = (size_t)(close - at) - 1;
		if (inside > strlen(mark)) {
			memmove(at + 1 + strlen(mark), close, strlen(close) + 1);
			memcpy(at + 1, mark, strlen(mark));
			close = at + 1 + strlen(mark);
		}
		at = close + 1;
	}
}

const char *shorten_next_part(const char *name)
{
	for (const char *at = name; at && *at; at = step_over(name, at)) {
		if (at[0] == ':' && at[1] == ':')
			return at + 2;
	}
	return NULL;
}
