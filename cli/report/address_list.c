/* SPDX-License-Identifier: MIT */
/* Reading addresses. */

#include "cli/report/address_list.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/grow.h"

/* A writer that is silent for so long waits for answers. */
#define PAUSE_MS  20
#define READ_SIZE ((size_t)64 * 1024)

void address_list_done(struct address_list *list)
{
	free(list->items);
	*list = (struct address_list){NULL, 0, 0};
}

/* The whole of @text, blanks around it aside, in at most 16 digits. */
static bool parse_address(const char *text, uint64_t *ret_address)
{
	char *end;

	while (isblank((unsigned char)*text))
		text++;
	if (!isxdigit((unsigned char)*text))
		return false;
	errno = 0;
	*ret_address = strtoull(text, &end, 16);
	while (isblank((unsigned char)*end) || *end == '\r')
		end++;
	return errno == 0 && *end == '\0';
}

int address_list_add(struct address_list *list, const char *text, struct error *err)
{
	uint64_t address;

	if (!parse_address(text, &address))
		return error_set(err, -EINVAL, "'%s' is no address", text);
	if (!grow(&list->items, list->count + 1, &list->room))
		return error_set(err, -ENOMEM, "cannot read addresses: ");
	list->items[list->count++] = address;
	return 0;
}

void address_lines_done(struct address_lines *lines)
{
	free(lines->pending);
}

static bool has_line(const struct address_lines *lines)
{
	return lines->size && memchr(lines->pending, '\n', lines->size);
}

/* Whether there is more to read at once; always true while nothing can be answered. */
static bool wants_more(const struct address_lines *lines)
{
	struct pollfd poll_fd = {.fd = lines->fd, .events = POLLIN};

	if (lines->ended)
		return false;
	return !has_line(lines) || poll(&poll_fd, 1, PAUSE_MS) > 0;
}

static int read_more(struct address_lines *lines, struct error *err)
{
	ssize_t size;

	if (!grow(&lines->pending, lines->size + READ_SIZE + 1, &lines->room))
		return error_set(err, -ENOMEM, "cannot read addresses: ");
	do
		size = read(lines->fd, lines->pending + lines->size, READ_SIZE);
	while (size < 0 && errno == EINTR);
	if (size < 0)
		return error_set(err, -errno, "cannot read addresses: ");
	lines->ended = size == 0;
	lines->size += (size_t)size;
	return 0;
}

/* The lines that are whole; at the end also one without a newline. */
static int take_lines(struct address_lines *lines, struct address_list *list, struct error *err)
{
	char *at = lines->pending, *end = lines->pending + lines->size;
	int r = 0;

	while (at < end && r == 0) {
		char *newline = memchr(at, '\n', (size_t)(end - at));

		if (!newline && !lines->ended)
			break;
		if (!newline)
			newline = end;
		*newline = '\0';
		if (at[strspn(at, " \t\r")])
			r = address_list_add(list, at, err);
		at = newline < end ? newline + 1 : end;
	}
	lines->size = (size_t)(end - at);
	memmove(lines->pending, at, lines->size);
	return r;
}

int address_lines_read(struct address_lines *lines, struct address_list *list, struct error *err)
{
	int r = 0;

	list->count = 0;
	if (lines->ended)
		return 0;
	while (r == 0 && wants_more(lines))
		r = read_more(lines, err);
	if (r == 0)
		r = take_lines(lines, list, err);
	return r < 0 ? r : 1;
}
