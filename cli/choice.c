/* SPDX-License-Identifier: MIT */
/* Words to choose from. */

#include "cli/choice.h"

#include <stdio.h>
#include <string.h>

#define WORD_MAX 32 /* longer words are near to none */

long choice_find(choice_name names, const char *word)
{
	const char *name;

	for (size_t i = 0; (name = names(i)); i++) {
		if (strcmp(name, word) == 0)
			return (long)i;
	}
	return -1;
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

/* Insertions, deletions, replacements and swaps of neighbours that turn @a into @b. */
static unsigned edit_distance(const char *a, const char *b)
{
	unsigned rows[3][WORD_MAX + 1];
	size_t length_a = strlen(a), length_b = strlen(b);

	if (length_a > WORD_MAX || length_b > WORD_MAX)
		return WORD_MAX;
	for (size_t j = 0; j <= length_b; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= length_a; i++) {
		unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3];
		const unsigned *before = rows[(i + 1) % 3];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= length_b; j++) {
			unsigned cost = a[i - 1] != b[j - 1];

			row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + cost);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
	}
	return rows[length_a % 3][length_b];
}

const char *choice_nearest(choice_name names, const char *word)
{
	const char *name, *nearest = NULL;
	unsigned least = strlen(word) < 6 ? 1 : (unsigned)strlen(word) / 3;

	for (size_t i = 0; (name = names(i)); i++) {
		unsigned distance = edit_distance(word, name);

		if (distance <= least && distance < strlen(name) &&
		    (!nearest || distance < edit_distance(word, nearest)))
			nearest = name;
	}
	return nearest;
}

const char *choice_describe(choice_name names, const char *word, char *buffer, size_t size)
{
	const char *nearest = choice_nearest(names, word), *name;
	FILE *text = fmemopen(buffer, size, "w");

	if (!text)
		return "";
	if (nearest)
		fprintf(text, "did you mean '%s'? ", nearest);
	fputs(nearest ? "One of " : "one of ", text);
	for (size_t i = 0; (name = names(i)); i++)
		fprintf(text, "%s%s", i ? ", " : "", name);
	fclose(text);
	buffer[size - 1] = '\0';
	return buffer;
}
