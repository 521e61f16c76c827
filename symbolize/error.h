/* SPDX-License-Identifier: MIT */
/*
 * An error that can say what failed and why, for callers that have to tell a person. Caller-owned,
 * no allocation; only cli/main.c and cli/cmd_*.c print one.
 */
#pragma once

struct error {
	int code;	/* negative errno, 0 while nothing failed */
	char text[256]; /* "what failed: why", without "profrun: " and without a newline */
};

/*
 * Fills *err (may be NULL) and returns @code, so that a failure is one line:
 * return error_set(err, -ENOENT, "cannot open '%s'", path);
 * A text that ends in ": " gets strerror(-code) appended.
 */
int error_set(struct error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
