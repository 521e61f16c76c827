/* SPDX-License-Identifier: MIT */
/* Words to choose from: the nearest to a misspelt one, and their list for a message. */
#pragma once

#include <stddef.h>

/*
 * The name of the row at @index of some table, NULL after the last. What makes any table of named
 * rows a list of choices.
 */
typedef const char *(*choice_name)(size_t index);

/* The index of @word, or -1. */
long choice_find(choice_name names, const char *word);

/* The name that was probably meant by @word, or NULL when none is near. */
const char *choice_nearest(choice_name names, const char *word);

/* "one of a, b, c", and the nearest first when there is one: "did you mean 'b'? One of ...". */
const char *choice_describe(choice_name names, const char *word, char *buffer, size_t size);
