/* SPDX-License-Identifier: MIT */
/* The keys of a view: one table for what they do and for the line that tells them. */

#include "cli/live/view_keys.h"

#include <stdlib.h>
#include <string.h>

#include "cli/report/columns.h"
#include "symbolize/util.h"

#define PAGE 20

struct view_key {
	char key;
	const char *shown; /* NULL: as the key itself */
	const char *label; /* NULL: it has its word in the line beside another */
	enum view_wish (*press)(struct view *view, const struct view_key *key);
	const char *by; /* the key of rows that it chooses; NULL: none */
	int scroll;	/* by so many rows */
};

static enum view_wish quit(struct view *view, const struct view_key *key)
{
	(void)view;
	(void)key;
	return VIEW_QUIT;
}

static enum view_wish pause_or_go_on(struct view *view, const struct view_key *key)
{
	(void)key;
	view->paused = !view->paused;
	return VIEW_DRAW;
}

static enum view_wish choose_recent(struct view *view, const struct view_key *key)
{
	(void)key;
	view->recent = !view->recent;
	return VIEW_NAMES;
}

/* The index of the column @name among all. */
static size_t find_column(const char *name)
{
	size_t index = 0;

	while (column_name(index) && strcmp(column_name(index), name) != 0)
		index++;
	return index;
}

/* What is told, ticks, and the kernel's part where it is known. */
static bool can_sort(const struct view *view, size_t index)
{
	const char *name = column_name(index);

	if (index < COLUMNS)
		return view->options.by.tells & (1U << index);
	if (strcmp(name, "kernel_percent") == 0)
		return view->profile && view->profile->kernel_known;
	return strcmp(name, "ticks") == 0;
}

/* As the table's head calls it. */
static const char *column_title(size_t index)
{
	const char *name = column_name(index);

	if (strcmp(name, "ticks") == 0)
		return "share";
	return strcmp(name, "kernel_percent") == 0 ? "kernel" : name;
}

static void sort_by(struct view *view, size_t index)
{
	view->sort = index;
	view->options.sort = column_of(index);
}

static enum view_wish sort_by_next(struct view *view, const struct view_key *key)
{
	size_t index = view->sort;

	(void)key;
	do
		index = column_name(index + 1) ? index + 1 : 0;
	while (!can_sort(view, index));
	sort_by(view, index);
	view->scroll = 0;
	return VIEW_DRAW;
}

static enum view_wish reverse(struct view *view, const struct view_key *key)
{
	(void)key;
	view->options.sort_reversed = !view->options.sort_reversed;
	view->scroll = 0;
	return VIEW_DRAW;
}

static enum view_wish set_keys(struct view *view, const struct keys *by)
{
	view->options.by = *by;
	view->scroll = 0;
	/* A column that there is no more cannot order anything. */
	if (!can_sort(view, view->sort))
		sort_by(view, find_column("ticks"));
	return VIEW_NAMES;
}

static enum view_wish choose_keys(struct view *view, const struct view_key *key)
{
	struct keys by;
	struct error err;

	if (strcmp(key->by, "thread") == 0 && !(view->profile && view->profile->threads_apart)) {
		view->message = "threads are told apart with --threads";
		return VIEW_DRAW;
	}
	return keys_parse(key->by, &by, &err) < 0 ? VIEW_NOTHING : set_keys(view, &by);
}

static enum view_wish restore_keys(struct view *view, const struct view_key *key)
{
	(void)key;
	return set_keys(view, &view->given);
}

static enum view_wish scroll(struct view *view, const struct view_key *key)
{
	size_t rows = (size_t)abs(key->scroll);

	if (key->scroll > 0)
		view->scroll += rows;
	else
		view->scroll -= rows < view->scroll ? rows : view->scroll;
	return VIEW_DRAW;
}

/* In the order of the line that tells them, in which the last ones may have no room. */
static const struct view_key keys[] = {
	{.key = 'q', .label = "quit", .press = quit},
	{.key = ' ', .shown = "space", .label = "pause", .press = pause_or_go_on},
	{.key = 'w', .label = "last 10 s", .press = choose_recent},
	{.key = 's', .label = "sort", .press = sort_by_next},
	{.key = 'r', .label = "reverse", .press = reverse},
	{.key = 'f', .label = "function", .press = choose_keys, .by = "function"},
	{.key = 'o', .label = "object", .press = choose_keys, .by = "object"},
	{.key = 'l', .label = "line", .press = choose_keys, .by = "line"},
	{.key = 'i', .label = "file", .press = choose_keys, .by = "file"},
	{.key = 'p', .label = "process", .press = choose_keys, .by = "process"},
	{.key = 't', .label = "thread", .press = choose_keys, .by = "thread"},
	{.key = 'b', .press = restore_keys},
	{.key = 'j', .press = scroll, .scroll = 1},
	{.key = 'k', .press = scroll, .scroll = -1},
	{.key = 'd', .press = scroll, .scroll = PAGE},
	{.key = 'u', .press = scroll, .scroll = -PAGE},
};

/* What a terminal sends for keys that are no letters. */
static const struct {
	const char *sent;
	char key;
} sequences[] = {
	{"\033[B", 'j'}, {"\033OB", 'j'},  {"\033[A", 'k'},
	{"\033OA", 'k'}, {"\033[6~", 'd'}, {"\033[5~", 'u'},
};

/* The key at @text, and how many bytes it takes. Unknown sequences are no letters. */
static char decode(const char *text, size_t length, size_t *ret_length)
{
	*ret_length = 1;
	if (*text != '\033')
		return *text;
	for (size_t i = 0; i < ARRAY_SIZE(sequences); i++) {
		size_t size = strlen(sequences[i].sent);

		*ret_length = size;
		if (size <= length && memcmp(text, sequences[i].sent, size) == 0)
			return sequences[i].key;
	}
	*ret_length = length;
	return '\0';
}

enum view_wish view_press(struct view *view, const char *text, size_t length)
{
	enum view_wish wish = VIEW_NOTHING;
	size_t taken;

	view->message = NULL;
	for (; length > 0; text += taken, length -= taken) {
		char pressed = decode(text, length, &taken);

		for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
			enum view_wish more;

			if (keys[i].key != pressed)
				continue;
			more = keys[i].press(view, &keys[i]);
			wish = more > wish ? more : wish;
		}
	}
	return wish;
}

void view_keys_init(struct view *view)
{
	size_t index = 0;

	while (column_of(index) && column_of(index) != view->options.sort)
		index++;
	sort_by(view, column_of(index) ? index : find_column("ticks"));
}

/* Whether what @key does is how things are. */
static bool holds(const struct view *view, const struct view_key *key)
{
	const struct keys *by = &view->options.by;

	if (key->by)
		return by->count == 1 && strcmp(by->key[0]->name, key->by) == 0;
	return (key->press == pause_or_go_on && view->paused) ||
	       (key->press == choose_recent && view->recent) ||
	       (key->press == reverse && view->options.sort_reversed);
}

void view_keys_write(const struct view *view, const struct terminal *terminal, bool has_keys,
		     FILE *stream)
{
	static const char none[] =
		"no keys: the program reads this terminal; give it </dev/null to have them";
	size_t used = 0;

	if (!has_keys) {
		AUTO_FREE char *shown = terminal_cut(terminal, none, terminal->width);

		fprintf(stream, "%s%s%s", terminal_style(terminal, STYLE_FAINT), shown ? shown : "",
			terminal_style(terminal, STYLE_PLAIN));
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(keys) && keys[i].label; i++) {
		char letter[2] = {keys[i].key}, word[64];
		const char *shown = keys[i].shown ? keys[i].shown : letter;

		snprintf(word, sizeof(word), "%s%s%s", keys[i].label,
			 keys[i].press == sort_by_next ? ": " : "",
			 keys[i].press == sort_by_next ? column_title(view->sort) : "");
		used += strlen(shown) + 1 + strlen(word) + (i ? 2 : 0);
		if (used > terminal->width)
			break;
		fprintf(stream, "%s\033[7m%s\033[27m %s%s%s", i ? "  " : "", shown,
			holds(view, &keys[i]) ? terminal_style(terminal, STYLE_HEAD) : "", word,
			holds(view, &keys[i]) ? terminal_style(terminal, STYLE_PLAIN) : "");
	}
}

void view_keys_write_message(const struct view *view, const struct terminal *terminal, FILE *stream)
{
	AUTO_FREE char *shown =
		terminal_cut(terminal, view->message ? view->message : "", terminal->width);

	fputs(shown ? shown : "", stream);
}
