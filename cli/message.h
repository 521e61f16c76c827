/* SPDX-License-Identifier: MIT */
/* The one form of everything that profrun says beside a report: a line "profrun: what: why". */
#pragma once

/*
 * Prints one line on stderr, at once and whole, so that lines of several processes do not mix.
 * Control characters (of a file's name, say) become '?': a message never is two lines and never
 * drives a terminal. %m is strerror(errno).
 */
void message_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
