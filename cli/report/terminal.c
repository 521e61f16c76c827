/* SPDX-License-Identifier: MIT */
/* What the reader's side can show. */

#include "cli/report/terminal.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "cli/report/shorten.h"
#include "cli/report/utf8.h"

#define WIDTH_DEFAULT 80
#define WIDTH_MIN     40 /* below, lines wrap rather than names vanish */

/* COLUMNS goes before what the terminal says, as for ls(1). */
static size_t find_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	long width = columns ? strtol(columns, NULL, 10) : 0;

	if (width <= 0 || width > 10000)
		width = ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
	if (width == 0)
		width = WIDTH_DEFAULT;
	return width < WIDTH_MIN ? WIDTH_MIN : (size_t)width;
}

static bool wants_color(bool is_terminal, enum color_when color)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	return is_terminal && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

void terminal_examine(int fd, enum color_when color, struct terminal *ret_terminal)
{
	bool is_terminal = isatty(fd);

	*ret_terminal = (struct terminal){
		.is_terminal = is_terminal,
		.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
		.color = wants_color(is_terminal, color),
		.width = is_terminal ? find_width(fd) : 0,
	};
}

const char *terminal_style(const struct terminal *terminal, enum style style)
{
	/* Of the sixteen colours that every theme sets so that they can be read. */
	static const char *const sequences[STYLES] = {
		[STYLE_PLAIN] = "\033[0m", [STYLE_HEAD] = "\033[1m",  [STYLE_HOT] = "\033[1;31m",
		[STYLE_BAR] = "\033[36m",  [STYLE_FAINT] = "\033[2m",
	};

	return terminal->color ? sequences[style] : "";
}

static size_t character_columns(const struct terminal *terminal, const char *text, size_t length)
{
	wchar_t character;
	int columns;

	if (length == 1)
		return 1;
	if (!terminal->utf8 || mbrtowc(&character, text, length, &(mbstate_t){0}) != length)
		return length;
	columns = wcwidth(character);
	return columns < 0 ? 1 : (size_t)columns;
}

size_t terminal_columns(const struct terminal *terminal, const char *text)
{
	size_t columns = 0;

	while (*text) {
		size_t length = utf8_length(text);

		length = length ? length : 1;
		columns += character_columns(terminal, text, length);
		text += length;
	}
	return columns;
}

/* Writes the escape of @byte at @out and returns its end. */
static char *put_escape(char *out, char byte)
{
	if (byte == '\n')
		return stpcpy(out, "\\n");
	if (byte == '\t')
		return stpcpy(out, "\\t");
	return out + sprintf(out, "\\x%02X", (unsigned char)byte);
}

static char *escape(const char *text)
{
	char *escaped = malloc(4 * strlen(text) + 1), *out = escaped;

	if (!escaped)
		return NULL;
	while (*text) {
		size_t length = utf8_shown_length(text);

		if (length)
			out = mempcpy(out, text, length);
		else
			out = put_escape(out, *text);
		text += length ? length : 1;
	}
	*out = '\0';
	return escaped;
}

/* Bytes at the start of @text that take at most @columns. */
static size_t prefix_length(const struct terminal *terminal, const char *text, size_t columns)
{
	const char *at = text;

	while (*at) {
		size_t length = utf8_length(at);
		size_t taken = character_columns(terminal, at, length ? length : 1);

		if (taken > columns)
			break;
		columns -= taken;
		at += length ? length : 1;
	}
	return (size_t)(at - text);
}

/* Stands for what was cut. */
static const char *mark_of(const struct terminal *terminal)
{
	return terminal->utf8 ? "…" : "...";
}

static size_t mark_columns(const struct terminal *terminal)
{
	return terminal->utf8 ? 1 : 3;
}

/* Cuts the middle of @text, which takes @taken columns, so that @columns are left. */
static void cut_middle(const struct terminal *terminal, char *text, size_t taken, size_t columns)
{
	const char *mark = mark_of(terminal);
	size_t left = columns - mark_columns(terminal);
	/* The end of a name tells more than its namespaces: two thirds are its. */
	size_t tail = left * 2 / 3;
	size_t head = prefix_length(terminal, text, left - tail);
	size_t tail_start = prefix_length(terminal, text, taken - tail);

	/* A wide character across the border belongs to what is cut. */
	while (terminal_columns(terminal, text + tail_start) > tail)
		tail_start += utf8_length(text + tail_start) ? utf8_length(text + tail_start) : 1;
	/* What was shortened there has its mark already. */
	if (head >= strlen(mark) && memcmp(text + head - strlen(mark), mark, strlen(mark)) == 0)
		head -= strlen(mark);
	if (strncmp(text + tail_start, mark, strlen(mark)) == 0)
		tail_start += strlen(mark);
	memmove(text + head + strlen(mark), text + tail_start, strlen(text + tail_start) + 1);
	memcpy(text + head, mark, strlen(mark));
}

/*
 * Cuts @text so that @columns are left: the namespaces that it is in, and where that leaves much
 * room unused, or none, the middle of the first part that does not fit.
 */
static void cut_name(const struct terminal *terminal, char *text, size_t columns)
{
	const char *mark = mark_of(terminal), *part = text, *next;
	size_t taken = 0;

	while ((next = shorten_next_part(part))) {
		taken = mark_columns(terminal) + terminal_columns(terminal, next);
		if (taken <= columns)
			break;
		part = next;
	}
	if (next && taken * 4 >= columns * 3) {
		memmove(text + strlen(mark), next, strlen(next) + 1);
		memcpy(text, mark, strlen(mark));
		return;
	}
	memmove(text, part, strlen(part) + 1);
	cut_middle(terminal, text, terminal_columns(terminal, text), columns);
}

char *terminal_text(const struct terminal *terminal, const char *text, size_t columns)
{
	char *shown = escape(text);
	size_t taken;

	if (!shown || !columns)
		return shown;
	taken = terminal_columns(terminal, shown);
	if (taken > columns) {
		shorten_name(shown, mark_of(terminal));
		taken = terminal_columns(terminal, shown);
	}
	if (taken > columns && columns > 8)
		cut_name(terminal, shown, columns);
	return shown;
}

char *terminal_cut(const struct terminal *terminal, const char *text, size_t columns)
{
	char *shown = escape(text);
	const char *mark = columns > mark_columns(terminal) ? mark_of(terminal) : "";

	if (!shown || !columns || terminal_columns(terminal, shown) <= columns)
		return shown;
	columns -= *mark ? mark_columns(terminal) : 0;
	strcpy(shown + prefix_length(terminal, shown, columns), mark);
	return shown;
}
