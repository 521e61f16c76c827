/* SPDX-License-Identifier: MIT */
/* Splits a line into words as a shell does, without expanding anything. */
#pragma once

#include "symbolize/error.h"

/*
 * The words of @line, split at blanks and newlines outside of '...' and "..."; a backslash keeps
 * the next character (inside "..." only before " and \, as in a shell where nothing is expanded).
 * *ret_words is NULL-terminated and freed by words_free(). -EINVAL: an open quote.
 */
int words_split(const char *line, char ***ret_words, struct error *err);
void words_free(char **words);
