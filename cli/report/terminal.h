/* SPDX-License-Identifier: MIT */
/* What the reader's side can show: a terminal of some width, UTF-8, colours. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/options.h"

struct terminal {
	bool is_terminal;
	bool utf8; /* by the locale */
	bool color;
	size_t width; /* columns; 0: no terminal, nothing is cut */
};

void terminal_examine(int fd, enum color_when color, struct terminal *ret_terminal);

enum style {
	STYLE_PLAIN,
	STYLE_HEAD,
	STYLE_HOT,
	STYLE_BAR,
	STYLE_FAINT,
	STYLES,
};

/* The escape sequence that starts @style (STYLE_PLAIN ends the others), "" without colours. */
const char *terminal_style(const struct terminal *terminal, enum style style);

/*
 * @text as it can be shown without harm: control characters, and bytes that are no character, as
 * \xNN. What takes more than @columns (0: any number) is shortened as a name of C++, then loses the
 * namespaces that it is in, or is cut in the middle. Freed by the caller; NULL when memory ran out.
 */
char *terminal_text(const struct terminal *terminal, const char *text, size_t columns);

/* The same of text that is no name: what takes more than @columns is cut at its end, with a
 * mark. */
char *terminal_cut(const struct terminal *terminal, const char *text, size_t columns);

/* The columns that @text takes. */
size_t terminal_columns(const struct terminal *terminal, const char *text);
